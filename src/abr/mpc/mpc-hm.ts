import { demandKnown } from '../../demand-known.ts';
import type { AbrAlgorithm } from '../abr.ts';
import { MpcSession, resolveQoe, type Prediction } from './mpc-session.ts';
import { harmonicMean } from '../predict.ts';
import type { QoeOptions } from '../qoe.ts';

/**
 * MPC-HM (Yin et al., SIGCOMM 2015; with SSIM as in Puffer, thesis §2.3): takes the first step of the plan for the upcoming
 * segments with the best experience, assuming that the network sustains the harmonic mean of the last five samples.
 *
 * Throws an Error that names an option that is unknown or out of range.
 */
export function mpcHm(options: QoeOptions = {}): AbrAlgorithm {
  const resolved = resolveQoe(options);
  demandKnown('mpcHm', options, resolved);
  const prediction: Prediction = { throughput: harmonicMean, shares: () => [1] };
  return { name: 'mpc-hm', session: () => new MpcSession(resolved, prediction) };
}
