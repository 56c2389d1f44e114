import { demandKnown } from '../../demand-known.ts';
import type { AbrAlgorithm, AbrState } from '../abr.ts';
import { MpcSession, resolveQoe, type Prediction } from './mpc-session.ts';
import { harmonicMean, largestError } from '../predict.ts';
import type { QoeOptions } from '../qoe.ts';

/**
 * The share of the prediction to use before an error is known, when there is at most one download, made in slow start.
 * dash.js's value.
 */
const UNTRIED_SHARE = 0.9;

/** The share of the prediction to use, given its largest recent error. */
const shares = (state: AbrState): [number] => [
  state.downloads.length < 2 ? UNTRIED_SHARE : 1 / (1 + largestError(state)),
];

/**
 * RobustMPC-HM: MPC-HM that reduces its prediction by the largest relative error among the last five downloads (Yin et al.
 * §5.3; Puffer's thesis, Table 2.2), and by a tenth before an error is known.
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export function robustMpcHm(options: QoeOptions = {}): AbrAlgorithm {
  const resolved = resolveQoe(options);
  demandKnown('robustMpcHm', options, resolved);
  const prediction: Prediction = { throughput: harmonicMean, shares };
  return { name: 'robust-mpc-hm', session: () => new MpcSession(resolved, prediction) };
}
