import fc from 'fast-check';
import { readCorpus } from './corpus.ts';
import { cmcdInput, rawInput } from './inputs.ts';

export interface FuzzOptions {
  /** The number of inputs to generate, in addition to the saved inputs. */
  readonly runs: number;
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
}

export interface Tries {
  readonly cmcd: (inputs: readonly string[]) => Promise<void>;
  readonly raw: (input: string) => Promise<void>;
  /** Checks the target after a batch of raw inputs. After a failure, the cause may be any of these inputs. */
  readonly afterRaw: (inputs: readonly string[]) => Promise<void>;
  /** Whether so many inputs have failed that the fuzzer should stop. */
  readonly isEnough: () => boolean;
}

const BATCH = 256;
/**
 * The number of concurrent raw requests. With more, a client on a busy machine would give up before it receives the
 * response.
 */
const AT_ONCE = 32;

/** Tries the saved inputs, then generated inputs: half are CMCD payloads, half raw requests. */
export async function tryInputs({ runs, seed, onProgress }: FuzzOptions, tries: Tries): Promise<void> {
  const [cmcdCorpus, rawCorpus] = [await readCorpus('cmcd'), await readCorpus('raw')];
  await tries.cmcd(cmcdCorpus);
  await tryRaw(rawCorpus, tries);
  for (let done = 0; done < runs && !tries.isEnough(); done += 2 * BATCH) {
    const sample = { seed: seed + done, numRuns: Math.min(BATCH, Math.ceil((runs - done) / 2)) };
    await tries.cmcd(fc.sample(cmcdInput(cmcdCorpus), sample));
    await tryRaw(fc.sample(rawInput(rawCorpus), sample), tries);
    onProgress?.(done);
  }
}

async function tryRaw(inputs: readonly string[], { raw, afterRaw }: Tries): Promise<void> {
  // All clients share this iterator, so that each input is tried once.
  const left = inputs.values();
  const client = async () => {
    for (const input of left) await raw(input);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  await afterRaw(inputs);
}
