import { fileURLToPath } from 'node:url';

const inDocs = (path: string): string =>
  fileURLToPath(new URL(`../../../docs/results/${path}`, import.meta.url));

/** The folder of the committed evidence, from which the gallery is generated. */
export const COMMITTED_EVIDENCE = inDocs('evidence');

/** The verdicts from the evidence at the time of its commit. */
export const COMMITTED_VERDICTS = inDocs('verdicts.json');
