import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Condition } from '../../experiments/session-settings.ts';
import { parseTrace } from '../../links/traces.ts';
import { readJsonLines } from './json-lines.ts';

/** The RTT for mahimahi's traces, which contain none: that of the lab's cellular links. */
const RTT_MS = 44;
/** The queue, as in the lab's experiment `traces`. */
const QUEUE_BYTES = 150_000;
const UNNAMEABLE = /[^A-Za-z0-9.-]+/g;

/**
 * The conditions of an experiment on the traces of a file or a folder: JSON Lines (`.jsonl`), or mahimahi's format.
 * Throws an Error of one line that names file, line and what is wrong.
 */
export async function readTraces(path: string): Promise<Condition[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Error(`--traces: there is no ${path}`);
  const files = found.isDirectory() ? await tracesIn(path) : [path];
  const conditions = (await Promise.all(files.map(conditionsOf))).flat();
  if (conditions.length === 0) throw new Error(`--traces: there are no traces in ${path}`);
  return unique(conditions);
}

/** The traces in a folder, by their file names; of a pair of mahimahi traces, the downlink. */
async function tracesIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  return files
    .map(({ name }) => name)
    .filter((name) => /\.(jsonl|down|trace)$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

async function conditionsOf(file: string): Promise<Condition[]> {
  const text = await readFile(file, 'utf8');
  if (extname(file) === '.jsonl') {
    return readJsonLines(text, file).map(({ name, steps, rtt_ms }) => ({
      name: nameable(`${basename(file, '.jsonl')}-${name}`),
      link: { rate: { kind: 'schedule', steps }, rtt_ms, queue_bytes: QUEUE_BYTES },
    }));
  }
  parseTrace(text, file);
  const rate = { kind: 'trace', downlink: file, uplink: file } as const;
  return [
    {
      name: nameable(basename(file).replace(/\.(down|trace)$/, '')),
      link: { rate, rtt_ms: RTT_MS, queue_bytes: QUEUE_BYTES },
    },
  ];
}

/** The name in a form that is valid in folder names. */
const nameable = (name: string): string => name.replaceAll(UNNAMEABLE, '-');

/** Adds numbers to the names of traces that have the same name. */
function unique(conditions: readonly Condition[]): Condition[] {
  const seen = new Map<string, number>();
  return conditions.map((condition) => {
    const count = (seen.get(condition.name) ?? 0) + 1;
    seen.set(condition.name, count);
    return count === 1 ? condition : { ...condition, name: `${condition.name}-${count}` };
  });
}
