import { ARMS, type Arm } from '../../arms.ts';

/** The first turns are short, so that a visitor sees both arms within seconds. */
export const FIRST_TURN_S = 5;

export interface Turn {
  readonly arm: Arm;
  /** The number of turns that each arm had before the current turn's round. */
  readonly round: number;
  /** The time until the next turn begins. */
  readonly left_s: number;
}

/** Returns the turn at a time after the start. The arms take turns; after the first round, each turn lasts `turn_s`. */
export function turnAt(elapsed_s: number, turn_s: number): Turn {
  const firstRound_s = FIRST_TURN_S * ARMS.length;
  const isFirst = elapsed_s < firstRound_s;
  const length_s = isFirst ? FIRST_TURN_S : turn_s;
  const since_s = isFirst ? elapsed_s : elapsed_s - firstRound_s;
  const index = Math.floor(since_s / length_s);
  const arm = ARMS[index % ARMS.length];
  if (arm === undefined) throw new RangeError(`no turn after ${elapsed_s} s`);
  return {
    arm,
    round: Math.floor(index / ARMS.length) + (isFirst ? 0 : 1),
    left_s: (index + 1) * length_s - since_s,
  };
}
