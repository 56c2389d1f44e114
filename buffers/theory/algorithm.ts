import {
  congestionControls,
  type AtLoss,
  type CongestionControlName,
} from '../../emulation/network/congestion/index.ts';

/** A congestion control of which the theory speaks, or one's own. */
export interface Algorithm extends AtLoss {
  readonly name: string;
}

/** Those that have a loss to speak of. */
export type AlgorithmName = {
  [Name in CongestionControlName]: (typeof congestionControls)[Name] extends { readonly loss: AtLoss }
    ? Name
    : never;
}[CongestionControlName];

export const ALGORITHMS = Object.fromEntries(
  Object.entries(congestionControls).flatMap(([name, { loss }]) => (loss ? [[name, { name, ...loss }]] : [])),
) as Readonly<Record<AlgorithmName, Algorithm>>;

/** In the order of the list. */
export const ALGORITHM_NAMES = Object.keys(ALGORITHMS) as AlgorithmName[];

const isName = (text: string): text is AlgorithmName => Object.hasOwn(ALGORITHMS, text);

/** By its name, or of one's own by what a loss leaves of its window: `0.8`. Throws an Error for anything else. */
export function readAlgorithm(text: string): Algorithm {
  if (isName(text)) return ALGORITHMS[text];
  const factor = /^[\d.]+$/.test(text) ? Number(text) : NaN;
  if (factor > 0 && factor < 1) return { name: `b = ${factor}`, atLoss: 'multiply', factor };
  const names = ALGORITHM_NAMES.join(', ');
  throw new Error(
    `--cc is '${text}', expected ${names}, or what a loss leaves of the window, between 0 and 1, such as 0.8`,
  );
}
