import type { SimulatedNetwork, SimulatedResult } from '../../emulation/player/model/simulated-session.ts';
import { meanOrNaN, play, meanSsim, type Film } from './play.ts';

const SECONDS = 100;

export interface Invariance {
  /** The share of equal rungs among segments that both sessions contain. */
  readonly same: number;
  readonly segments: number;
  /** The share in the sessions where the pace limited any download: elsewhere it only changes how the window and the queue grow. */
  readonly same_where_limited: number;
  /** The same share for two unpaced sessions whose round trips differ by a millisecond. */
  readonly same_after_1_ms: number;
  /** Means over the sessions: paced less unpaced. */
  readonly ssim_db: number;
  readonly rebuffer_points: number;
}

const listRungs = ({ decisions }: SimulatedResult) =>
  new Map(
    decisions
      .filter(({ media_type, outcome }) => media_type === 'video' && outcome === 'completed')
      .map((decision) => [decision.segment_start_s, decision.bitrate_kbps]),
  );

/** Counts the segments that both sessions contain, and those of equal rung. */
export function sameRungs(sessions: readonly (readonly [SimulatedResult, SimulatedResult])[]) {
  let [same, segments] = [0, 0];
  for (const [one, other] of sessions) {
    const rungs = listRungs(other);
    for (const [start_s, rung] of listRungs(one)) {
      if (!rungs.has(start_s)) continue;
      segments += 1;
      if (rungs.get(start_s) === rung) same += 1;
    }
  }
  return { same: same / segments, segments };
}

/**
 * Does the pace change what is watched? The same sessions with it and without. Between two rungs a sample that is 2% off
 * moves every later switch: so unpaced sessions are compared with ones of a millisecond more, too.
 */
export function invariance(
  [paced, unpaced]: readonly [string, string],
  film: Film,
  networks: readonly SimulatedNetwork[],
): Invariance {
  const sessions = networks.map((network) => {
    const later = { ...network, rtt_ms: network.rtt_ms + 1 };
    return {
      paced: play(paced, film, network, SECONDS),
      unpaced: play(unpaced, film, network, SECONDS),
      disturbed: play(unpaced, film, later, SECONDS),
    };
  });
  const limited = sessions.filter(({ paced: { decisions } }) =>
    decisions.some(({ media_type, pace_limited }) => media_type === 'video' && pace_limited),
  );
  const stalls = ({ summary }: SimulatedResult) => 100 * summary.rebuffer_ratio;
  return {
    ...sameRungs(sessions.map((each) => [each.paced, each.unpaced])),
    same_where_limited: sameRungs(limited.map((each) => [each.paced, each.unpaced])).same,
    same_after_1_ms: sameRungs(sessions.map((each) => [each.disturbed, each.unpaced])).same,
    ssim_db: meanOrNaN(sessions.map((each) => meanSsim(each.paced) - meanSsim(each.unpaced))),
    rebuffer_points: meanOrNaN(sessions.map((each) => stalls(each.paced) - stalls(each.unpaced))),
  };
}
