import { getBucket } from '../../../src/experiment/bucket.ts';
import { randomStream } from '../world/arrivals.ts';

/** Maps each code to its arm. Until the key is published, tables and results contain only codes. */
export type Key = Readonly<Record<string, string>>;

const MOST_ARMS = 26;

/** Assigns a letter to each arm. The seed determines the order. */
export function makeKey(arms: readonly string[], seed: number): Key {
  if (arms.length > MOST_ARMS) throw new Error(`--arms has ${arms.length}, expected at most ${MOST_ARMS}`);
  const random = randomStream(seed, 'key');
  const ranked = arms.map((arm) => ({ arm, rank: random() })).sort((a, b) => a.rank - b.rank);
  return Object.fromEntries(ranked.map(({ arm }, index) => [codeAt(index), arm]));
}

const codeAt = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

/** Draws the code of a session. All codes are equally likely, regardless of the session's properties. */
export function assignedCode(seed: number, session: string, codes: readonly string[]): string {
  const code = codes[Math.floor(getBucket(`trial ${seed}`, session) * codes.length)];
  if (code === undefined) throw new Error('there is no arm to assign');
  return code;
}
