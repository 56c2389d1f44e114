import { getBucket } from '../../../src/experiment/bucket.ts';
import { randomStream } from '../world/arrivals.ts';

/** The arm of each code. The tables contain only codes, as does every result until the key is opened. */
export type Key = Readonly<Record<string, string>>;

const MOST_ARMS = 26;

/** Assigns a letter to each arm, in an order that the seed determines. */
export function makeKey(arms: readonly string[], seed: number): Key {
  if (arms.length > MOST_ARMS) throw new Error(`--arms has ${arms.length}, expected at most ${MOST_ARMS}`);
  const random = randomStream(seed, 'key');
  const ranked = arms.map((arm) => ({ arm, rank: random() })).sort((a, b) => a.rank - b.rank);
  return Object.fromEntries(ranked.map(({ arm }, index) => [codeAt(index), arm]));
}

const codeAt = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

/** Draws one of the codes for a session, all equally likely and independent of the session's properties. */
export function assignedCode(seed: number, session: string, codes: readonly string[]): string {
  const code = codes[Math.floor(getBucket(`trial ${seed}`, session) * codes.length)];
  if (code === undefined) throw new Error('there is no arm to assign');
  return code;
}
