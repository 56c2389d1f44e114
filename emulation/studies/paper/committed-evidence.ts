import { fileURLToPath } from 'node:url';

const inDocs = (path: string): string =>
  fileURLToPath(new URL(`../../../docs/results/${path}`, import.meta.url));

/** The folder of the committed evidence, from which the gallery is generated. */
export const COMMITTED_EVIDENCE = inDocs('evidence');

/** The file with the verdicts that the evidence had when it was committed. */
export const COMMITTED_VERDICTS = inDocs('verdicts.json');
