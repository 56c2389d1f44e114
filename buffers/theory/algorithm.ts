import {
  congestionControls,
  type AtLoss,
  type CongestionControlName,
} from '../../emulation/network/congestion/index.ts';

/** A congestion control that the theory covers. */
export interface Algorithm extends AtLoss {
  readonly name: string;
}

/** The names of the congestion controls that react to losses. */
export type AlgorithmName = {
  [Name in CongestionControlName]: (typeof congestionControls)[Name] extends { readonly loss: AtLoss }
    ? Name
    : never;
}[CongestionControlName];

export const ALGORITHMS = Object.fromEntries(
  Object.entries(congestionControls).flatMap(([name, { loss }]) => (loss ? [[name, { name, ...loss }]] : [])),
) as Readonly<Record<AlgorithmName, Algorithm>>;

/** The names of the algorithms, in the order of the list. */
export const ALGORITHM_NAMES = Object.keys(ALGORITHMS) as AlgorithmName[];
