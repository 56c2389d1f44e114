import { addToCorpus, type Kind } from './corpus.ts';
import { fuzzCommand, runFuzzer } from './fuzz-command.ts';
import { tryHandler } from './handler-target.ts';
import { Outcomes } from './outcomes.ts';
import { startSocketTarget } from './socket-target.ts';
import { tryInputs, type FuzzOptions } from './try-inputs.ts';

export interface FuzzReport {
  readonly failures: readonly Failure[];
  readonly outcomes: Outcomes;
}

export interface Failure {
  readonly kind: Kind;
  readonly input: string;
  readonly what: string;
}

/** The time after which the check of a payload counts as hanging, ms. Checks are mostly synchronous. */
const SLOWEST_MS = 2000;
const MOST_FAILURES = 10;

/**
 * Tests generated hostile inputs: half of them are CMCD payloads for the policy and the handler, and half are raw
 * requests to a local edge over real sockets. Inputs that failed in earlier versions are saved in edge/fuzz/corpus and
 * tried first.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const failures: Failure[] = [];
  const outcomes = new Outcomes();
  const fail = (kind: Kind, input: string) => (error: unknown) => {
    failures.push({ kind, input, what: error instanceof Error ? error.message : String(error) });
  };
  const target = await startSocketTarget();
  const tryCmcd = async (input: string) => {
    const began = performance.now();
    await tryHandler(input).then(
      (reasons) => reasons.forEach((reason) => outcomes.count(reason)),
      fail('cmcd', input),
    );
    const took = performance.now() - began;
    if (took > SLOWEST_MS) fail('cmcd', input)(`it took ${took.toFixed(0)} ms`);
  };
  const tryRaw = (input: string) =>
    target.tryInput(input).then((heard) => outcomes.countAnswer(heard), fail('raw', input));

  try {
    await tryInputs(options, {
      cmcd: async (inputs) => {
        for (const input of inputs) await tryCmcd(input);
      },
      raw: tryRaw,
      afterRaw: (inputs) => target.tryWitness().catch(fail('raw', JSON.stringify(inputs))),
      isEnough: () => failures.length >= MOST_FAILURES,
    });
    const left = await target.leftOpen();
    if (left > 0) fail('raw', '')(`${left} connections are still open after all clients have left`);
  } finally {
    await target.close();
  }
  return { failures, outcomes };
}

const commandLine = runFuzzer(
  'edge',
  'Clients of the Node edge: CMCD for the policy and the handler, raw requests for a socket.',
);
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { failures } = await fuzzCommand(fuzz, commandLine.parse(args).values);
  for (const { kind, input, what } of failures) console.error(`${kind} ${JSON.stringify(input)}: ${what}`);
  for (const kind of ['cmcd', 'raw'] as const) {
    await addToCorpus(
      kind,
      failures.filter((failure) => failure.kind === kind).map(({ input }) => input),
    );
  }
}
