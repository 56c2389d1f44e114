import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytes, milliseconds, type Bytes } from '../../src/units.ts';
import { startEdge } from '../local/server.ts';
import { printSessions } from '../local/sessions/print-sessions.ts';
import { SessionStore } from '../local/sessions/session-store.ts';
import { plainResponse } from '../origin.ts';
import { takeSessions } from '../sessions/sessions-route.ts';
import { fuzzCommandLine } from './fuzz-command.ts';

export interface BeaconReport {
  readonly failures: readonly string[];
  readonly stored: number;
  readonly refused: number;
  readonly disk_bytes: number;
}

const WITNESS = 'witness-0123456789';
const AT_ONCE = 16;

/**
 * Sends hostile beacons over real sockets: mangled copies of a valid beacon. In between, another client reports its
 * session, which must be stored.
 *
 *     npm run fuzz -- beacons [--runs 20000] [--seed N]
 */
export async function fuzzBeacons(options: {
  readonly runs: number;
  readonly seed: number;
  readonly limit: Bytes;
}): Promise<BeaconReport> {
  const { runs, seed, limit } = options;
  const directory = mkdtempSync(join(tmpdir(), 'edge-beacons-'));
  const failures: string[] = [];
  let [stored, refused] = [0, 0];
  const store = new SessionStore({
    directory,
    limit,
    writer: 'w0',
    writers: 1,
    now: Date.now,
    onProblem: (line) => failures.push(line),
  });
  const handler = takeSessions(() => Promise.resolve(plainResponse(404, 'there is no film')), {
    experiments: { list: () => [], cluster: 'link', now: () => milliseconds(Date.now()) },
    store: (line) => store.append(line),
  });
  const edge = await startEdge({ handler, onWarning: (line) => failures.push(line) });
  const send = async (body: string) => {
    try {
      const { status } = await fetch(`${edge.url}/.sammy/v1/sessions`, { method: 'POST', body });
      if (status === 204) stored += 1;
      else if (status === 400 || status === 413) refused += 1;
      else failures.push(`status ${status} for ${body.slice(0, 200)}`);
    } catch (error) {
      // For a body that is too long, the server may also close the connection instead of answering.
      if (body.length > 16_384) refused += 1;
      else failures.push(`${String(error)} for ${body.slice(0, 200)}`);
    }
  };
  try {
    const random = randomFrom(seed);
    for (let run = 0; run < runs; run += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => send(hostileBeacon(random))));
      if (run === 0) await send(beacon(WITNESS, 0));
    }
    await send(beacon(WITNESS, 1));
    store.close();
    const witness = await readStored(directory, WITNESS);
    if (witness !== 'viewer 1 1') failures.push(`the witness's session has become ${witness}`);
    const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
    const disk_bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (disk_bytes > limit) failures.push(`${disk_bytes} bytes on disk`);
    return { failures, stored, refused, disk_bytes };
  } finally {
    await edge.close();
    rmSync(directory, { recursive: true });
  }
}

/** Returns the unit, sequence number and played time of each stored session with this id. */
async function readStored(directory: string, id: string): Promise<string> {
  const lines: string[] = [];
  await printSessions([directory], (line) => lines.push(line));
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ session_id }) => session_id === id)
    .map(({ unit, sequence, played_s }) => `${String(unit)} ${String(sequence)} ${String(played_s)}`)
    .join();
}

const beacon = (session_id: string, sequence: number): string =>
  JSON.stringify({
    version: 1,
    session_id,
    unit: 'viewer',
    sequence,
    elapsed_s: 1,
    final: false,
    arm: null,
    metrics: { played_s: sequence },
  });

/** Returns a seeded random number generator (mulberry32), with numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NASTY = [
  '"',
  '\\',
  '\n',
  '\u0000',
  '{',
  '}',
  ']',
  ',',
  '-',
  '1e999',
  '__proto__',
  '\ud800',
  '../',
  '{"a":',
];

/**
 * Returns a beacon, usually mangled: with characters replaced, or with parts that are repeated, nested or far too long.
 */
function hostileBeacon(random: () => number): string {
  const pick = (count: number) => Math.floor(random() * count);
  let text = beacon(`hostile-${pick(1e9)}-${pick(1e9)}`.padEnd(20, '0'), 0);
  if (pick(8) === 0) return text;
  for (let change = pick(6); change >= 0; change--) {
    const at = pick(text.length);
    const nasty = NASTY[pick(NASTY.length)] ?? '';
    const kinds = [
      () => text.slice(0, at) + nasty + text.slice(at + pick(3)),
      () => text.slice(0, at),
      () => text + text,
      () => text.replace('"viewer"', JSON.stringify(nasty.repeat(pick(400)))),
      () => text.replace('{"played_s"', `{"${nasty}":${pick(9)},"played_s"`),
      () => text.replace('1,', `${'['.repeat(pick(20_000))},`),
      () => text.replace('hostile', ['witness', '', 'WITNESS', '\u0077itness'][pick(4)] ?? ''),
      () => text.padEnd(pick(40_000), ' x'),
    ];
    text = kinds[pick(kinds.length)]?.() ?? text;
  }
  return text;
}

const USUAL = { runs: 20_000, seed: 1 };
const commandLine = fuzzCommandLine('beacons', 'Rows of sessions that hostile pages send.', USUAL.runs);
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { runs = USUAL.runs, seed = USUAL.seed } = commandLine.parse(args).values;
  const report = await fuzzBeacons({ runs, seed, limit: bytes(100_000_000) });
  console.log(JSON.stringify(report, null, 2));
  if (report.failures.length > 0) process.exitCode = 1;
}
