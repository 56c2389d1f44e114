import { demandKnown } from '../../demand-known.ts';
import type { AbrAlgorithm, AbrState } from '../abr.ts';
import { MpcSession, resolveQoe, type Prediction } from './mpc-session.ts';
import { harmonicMean, largestError } from '../predict.ts';
import type { QoeOptions } from '../qoe.ts';

/** What a prediction is relied on with before there is an error to go by: of one download, made in slow start. dash.js's. */
const UNTRIED_SHARE = 0.9;

/** What is left of a prediction that was wrong by so much. */
const shares = (state: AbrState): [number] => [
  state.downloads.length < 2 ? UNTRIED_SHARE : 1 / (1 + largestError(state)),
];

/**
 * RobustMPC-HM: MPC-HM that expects its mean to be too high by its largest relative error among the last five downloads
 * (Yin et al. §5.3; thesis, Table 2.2), and before there is an error by a tenth.
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export function robustMpcHm(options: QoeOptions = {}): AbrAlgorithm {
  const resolved = resolveQoe(options);
  demandKnown('robustMpcHm', options, resolved);
  const prediction: Prediction = { throughput: harmonicMean, shares };
  return { name: 'robust-mpc-hm', session: () => new MpcSession(resolved, prediction) };
}
