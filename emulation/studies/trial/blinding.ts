import { getBucket } from '../../../src/experiment/bucket.ts';
import { streamOf } from '../world/arrivals.ts';

/** What the codes stand for. The tables have codes only, and so has all that is computed before the key is opened. */
export type Key = Readonly<Record<string, string>>;

const MOST_ARMS = 26;

/** A letter for each arm, in an order that the seed chooses. */
export function keyOf(arms: readonly string[], seed: number): Key {
  if (arms.length > MOST_ARMS) throw new Error(`--arms has ${arms.length}, expected at most ${MOST_ARMS}`);
  const random = streamOf(seed, 'key');
  const ranked = arms.map((arm) => ({ arm, rank: random() })).sort((a, b) => a.rank - b.rank);
  return Object.fromEntries(ranked.map(({ arm }, index) => [codeAt(index), arm]));
}

const codeAt = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

/** Draws one of the codes for a session: each is as likely as the others, whatever the session is like. */
export function assignedCode(seed: number, session: string, codes: readonly string[]): string {
  const code = codes[Math.floor(getBucket(`trial ${seed}`, session) * codes.length)];
  if (code === undefined) throw new Error('there is no arm to assign');
  return code;
}
