import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Link } from '../link.ts';
import { parseTrace } from '../traces.ts';
import { readJsonLines } from './json-lines.ts';

/** The RTT of links with mahimahi's traces, which contain no RTT. */
const RTT_MS = 44;
const QUEUE_BYTES = 150_000;
/** A file that begins like JSON is not a mahimahi trace, which has only digits. */
const LOOKS_LIKE_JSON = /^\uFEFF?\s*[{[]/;
const UNNAMEABLE = /[^A-Za-z0-9.-]+/g;
/** The longest name, because file systems allow 255 bytes. */
const LONGEST_NAME = 100;

/** A link with a recorded rate, and the trace's name in a form that is valid in folder names. */
export interface TracedLink {
  readonly name: string;
  readonly link: Link;
  /** The length of the trace in whole ms. The trace repeats after its end. */
  readonly duration_ms: number;
}

/**
 * Reads the traces of a file or a folder: JSON Lines (`.jsonl`), or mahimahi's format. Throws an Error of one line that
 * names the file, the line and the problem.
 */
export async function readTraces(path: string): Promise<TracedLink[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Error(`there is no file or folder of traces ${path}`);
  const files = found.isDirectory() ? await tracesIn(path) : [path];
  const traces = (await Promise.all(files.map(readLinks))).flat();
  if (traces.length === 0) throw new Error(`there are no traces in ${path}`);
  return unique(traces);
}

/** A link with a mahimahi trace in both directions, by its name in mahimahi-traces or by path. */
export const cellular = (trace: string): Link => ({
  rate: { kind: 'trace', downlink: trace, uplink: trace },
  rtt_ms: RTT_MS,
  queue_bytes: QUEUE_BYTES,
});

/** Lists the trace files in a folder, ordered by name; of a pair of mahimahi traces, only the downlink. */
async function tracesIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  return files
    .map(({ name }) => name)
    .filter((name) => /\.(jsonl|down|trace)$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

async function readLinks(file: string): Promise<TracedLink[]> {
  const text = await readFile(file, 'utf8');
  if (extname(file) === '.jsonl' || LOOKS_LIKE_JSON.test(text))
    return readJsonLinks(text, file, `${basename(file, extname(file))}-`);
  const { duration_ms } = parseTrace(text, file);
  return [
    {
      name: nameable(basename(file).replace(/\.(down|trace)$/, '')),
      link: cellular(file),
      duration_ms,
    },
  ];
}

/**
 * Returns the links of the traces in a JSON Lines text, with `prefix` before their names. Throws an Error of one line
 * that names `file`.
 */
export const readJsonLinks = (text: string, file: string, prefix = ''): TracedLink[] =>
  readJsonLines(text, file).map(({ name, steps, rtt_ms, duration_ms }) => ({
    name: nameable(`${prefix}${name}`),
    link: { rate: { kind: 'schedule', steps }, rtt_ms, queue_bytes: QUEUE_BYTES },
    duration_ms,
  }));

/** Converts a trace's name to a form that is valid in the name of a folder, which also contains an arm's name. */
const nameable = (name: string): string => name.replaceAll(UNNAMEABLE, '-').slice(0, LONGEST_NAME);

/** Makes names unique: appends the lowest number that gives an unused name to each repeated name. */
function unique(traces: readonly TracedLink[]): TracedLink[] {
  const taken = new Set<string>();
  return traces.map((trace) => {
    let { name } = trace;
    for (let count = 2; taken.has(name); count++) name = `${trace.name}-${count}`;
    taken.add(name);
    return { ...trace, name };
  });
}
