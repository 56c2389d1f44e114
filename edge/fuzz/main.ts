import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { tryHandler } from './handler-target.ts';
import { cmcdInput, rawInput } from './inputs.ts';
import { startSocketTarget } from './socket-target.ts';

/**
 * Hostile clients, generated: half of the runs are CMCD payloads for the policy and the handler, half are raw
 * requests to a local edge over real sockets. What ever failed is kept in edge/fuzz/corpus and tried first.
 *
 *     node --import tsx edge/fuzz/main.ts [--runs 100000] [--seed N]
 */
export interface FuzzReport {
  readonly runs: number;
  readonly seed: number;
  /** Of the corpus and of what was generated. */
  readonly failures: readonly Failure[];
  /** How often the handler gave which reason, and the edge which status. */
  readonly outcomes: Readonly<Record<string, number>>;
}

export interface Failure {
  readonly kind: Kind;
  readonly input: string;
  readonly what: string;
}

type Kind = 'cmcd' | 'raw';

const BATCH = 256;
/** A payload's checks are synchronous for the most part: one that takes longer than this hangs. */
const SLOWEST_MS = 2000;
const MOST_FAILURES = 10;

const corpusFile = (kind: Kind) => fileURLToPath(new URL(`corpus/${kind}.json`, import.meta.url));
export const readCorpus = async (kind: Kind): Promise<string[]> =>
  JSON.parse(await readFile(corpusFile(kind), 'utf8')) as string[];

export async function fuzz({
  runs,
  seed,
  onProgress = () => undefined,
}: {
  runs: number;
  seed: number;
  onProgress?: (done: number) => void;
}): Promise<FuzzReport> {
  const failures: Failure[] = [];
  const outcomes: Record<string, number> = {};
  const count = (outcome: string) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  const fail = (kind: Kind, input: string) => (error: unknown) => {
    failures.push({ kind, input, what: error instanceof Error ? error.message : String(error) });
  };

  const cmcdCorpus = await readCorpus('cmcd');
  const rawCorpus = await readCorpus('raw');
  const target = await startSocketTarget();
  const tryCmcd = async (input: string) => {
    const began = performance.now();
    await tryHandler(input).then((reasons) => reasons.forEach(count), fail('cmcd', input));
    const took = performance.now() - began;
    if (took > SLOWEST_MS) fail('cmcd', input)(`it took ${took.toFixed(0)} ms`);
  };
  const tryRaw = async (inputs: readonly string[]) => {
    await Promise.all(inputs.map((input) => target.tryInput(input).then(count, fail('raw', input))));
    // Whose doing it was is not known: it is one of these.
    await target.tryWitness().catch(fail('raw', JSON.stringify(inputs)));
  };

  try {
    for (const input of cmcdCorpus) await tryCmcd(input);
    await tryRaw(rawCorpus);
    for (let done = 0; done < runs && failures.length < MOST_FAILURES; done += 2 * BATCH) {
      const sample = { seed: seed + done, numRuns: Math.min(BATCH, Math.ceil((runs - done) / 2)) };
      for (const input of fc.sample(cmcdInput(cmcdCorpus), sample)) await tryCmcd(input);
      await tryRaw(fc.sample(rawInput(rawCorpus), sample));
      onProgress(done);
    }
    const left = await target.leftOpen();
    if (left > 0) fail('raw', '')(`${left} connections are still open after all clients have left`);
  } finally {
    await target.close();
  }
  return { runs, seed, failures, outcomes };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
  const runs = Number(values.runs ?? 100_000);
  const seed = Number(values.seed ?? Date.now() % 1e9);
  if (!(runs >= 0) || !Number.isInteger(seed)) throw new Error('--runs and --seed expect whole numbers');
  const began = performance.now();
  let lastSaid = began;
  const report = await fuzz({
    runs,
    seed,
    onProgress: (done) => {
      const now = performance.now();
      if (now - lastSaid < 5000 || done === 0) return;
      lastSaid = now;
      const left_s = (((now - began) / done) * (runs - done)) / 1000;
      console.error(`${done} of ${runs}, about ${left_s.toFixed(0)} s left`);
    },
  });
  console.table(report.outcomes);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${runs} runs with seed ${seed} in ${seconds} s, ${report.failures.length} failures`);
  for (const { kind, input, what } of report.failures)
    console.error(`${kind} ${JSON.stringify(input)}: ${what}`);
  for (const kind of ['cmcd', 'raw'] as const) {
    const found = report.failures.filter((failure) => failure.kind === kind).map(({ input }) => input);
    if (found.length === 0) continue;
    const corpus = [...new Set([...(await readCorpus(kind)), ...found])];
    await writeFile(corpusFile(kind), `${JSON.stringify(corpus, null, 2)}\n`);
  }
  if (report.failures.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
