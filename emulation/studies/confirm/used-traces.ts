import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { asJson } from '../../../system/replace-files.ts';
import { rateHash } from '../../network/links/trace-files/traces-hash.ts';
import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';

const FILE = fileURLToPath(new URL('./used-traces.json', import.meta.url));
/** The number of stored digits of each trace's hash, enough to distinguish a few thousand traces. */
const DIGITS = 16;

/**
 * Returns the names of those traces that were used to choose this project's constants, or in a rehearsal. A trace that
 * was cut or scaled counts as another trace.
 */
export async function findUsed(traces: readonly TracedLink[], file = FILE): Promise<string[]> {
  const known = new Set(readUsed(file));
  const found = await Promise.all(
    traces.map(async (trace) => (known.has(await fingerprint(trace)) ? [trace.name] : [])),
  );
  return found.flat();
}

/** Adds traces to the list of used ones. Returns how many of them are new. */
export async function noteUsed(traces: readonly TracedLink[], file = FILE): Promise<number> {
  const before = readUsed(file);
  const now = new Set([...before, ...(await Promise.all(traces.map(fingerprint)))]);
  writeFileSync(file, asJson([...now].sort()));
  return now.size - before.length;
}

const fingerprint = async ({ link }: TracedLink): Promise<string> =>
  (await rateHash(link.rate)).slice(0, DIGITS);

const readUsed = (file: string): readonly string[] => JSON.parse(readFileSync(file, 'utf8')) as string[];
