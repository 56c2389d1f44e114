import { armNamed } from '../../../emulation/player/arms/index.ts';
import { readSettings } from '../../../emulation/player/model/player/settings.ts';
import { Timeline } from '../../../emulation/player/model/player/timeline.ts';
import { simulateSession } from '../../../emulation/player/model/session.ts';
import type { SimulatedNetwork, SimulatedResult } from '../../../emulation/player/model/simulated-session.ts';
import { play, type Film } from '../play.ts';
import { computeExperience } from './experience.ts';
import { foreknowing } from './foreknowing.ts';
import { foreknown, listQuality } from './foreknown.ts';
import { findWatched } from './watched.ts';

/**
 * Shares of the link's rate to plan with, because real TCP cannot use the whole rate. For each trace, the share with
 * the best result is used.
 */
const SHARES = [0.95, 0.9, 0.8];
/**
 * Seconds planned beyond the session's end, as much as a player buffers, because the viewer might continue to watch.
 */
const BEYOND_S = 60;

/** The outcome of one session. */
export interface Outcome {
  readonly ssim_db: number;
  readonly stall_points: number;
  /** The mean of Q - λ |Q - Q_before| - μ T over the segments, dB. */
  readonly experience_db: number;
}

/** Returns the best experience of a simulated session when the network and the video are known. */
export function bestKnowing(film: Film, network: SimulatedNetwork, seconds: number): Outcome {
  const lowest = play('lowest', film, network, seconds);
  const starts_s = (lowest.decisions.find(({ media_type }) => media_type === 'video')?.at_ms ?? 0) / 1000;
  const buffers = readSettings({ arm: armNamed('lowest'), film, seconds }, new Timeline(film).end_s);
  const played = SHARES.map((share) => {
    const known = foreknown(film, network, buffers, seconds + BEYOND_S, share);
    const arm = foreknowing(known, film, starts_s);
    return sessionOutcome(simulateSession({ arm, film, network, seconds }), film, seconds);
  });
  return played.reduce((best, each) => (each.experience_db > best.experience_db ? each : best));
}

export function sessionOutcome(result: SimulatedResult, film: Film, seconds: number): Outcome {
  const { summary } = result;
  return {
    ssim_db: summary.mean_ssim_db ?? NaN,
    stall_points: 100 * summary.rebuffer_ratio,
    experience_db: computeExperience(findWatched(result, film, seconds), listQuality(film)),
  };
}
