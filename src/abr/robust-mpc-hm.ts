import { kbps } from '../units.ts';
import type { AbrAlgorithm, AbrState } from './abr.ts';
import { MpcSession, resolveQoe } from './mpc-session.ts';
import { harmonicMean, largestError } from './predict.ts';
import type { QoeOptions } from './qoe.ts';

/** What is left of a prediction that was wrong by so much. */
const share = (state: AbrState): number => 1 / (1 + largestError(state));

/**
 * RobustMPC-HM: MPC-HM that expects its mean to be too high by its largest relative error among the last five downloads
 * (Yin et al. §5.3; thesis, Table 2.2).
 *
 * Throws an Error that names an option out of range.
 */
export function robustMpcHm(options: QoeOptions = {}): AbrAlgorithm {
  const resolved = resolveQoe(options);
  const prediction = { throughput: (state: AbrState) => kbps(harmonicMean(state) * share(state)), share };
  return { name: 'robust-mpc-hm', session: () => new MpcSession(resolved, prediction) };
}
