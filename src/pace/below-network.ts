import { nextBitrate } from '../abr/lookahead.ts';
import { EXPECTED_GOODPUT, type PacePolicy } from './pace.ts';
import { kbps } from '../units.ts';

/** The lowest buffer level, s, at which segments are slowed down. With 6 s, the round-trip times are no shorter. */
const LEAST_BUFFER_S = 8;
/**
 * The pace, as a share of the latest throughput that the network limited. Just low enough for the queue to drain: 0.8 gives
 * 0.1 dB less on Oboe's networks at the same round-trip time.
 */
const SHARE = 0.97;
/** One segment in this many tests whether the network sustains more. With 6, 0.03 dB less on FCC's networks. */
const PROBE_PERIOD = 4;
/**
 * The latest two throughputs must agree within this factor, because a network with sudden changes is unpredictable. With 1.3,
 * 0.03 dB less on FCC's.
 */
const AGREEMENT = 1.2;
/**
 * The lowest throughput of the last minute must be at least the latest one divided by this: a network that was much slower
 * may soon be slow again, and the buffer that a faster download adds is worth more. Without this condition, 0.2 dB less on
 * slow Puffer networks.
 */
const LARGEST_FALL = 3;

/**
 * Paces below the network's throughput if that is lower than the pace of `policy`. A pace above the network's throughput has
 * no effect: the download fills the queue, and all traffic that shares the queue is delayed. Once enough is buffered, and
 * while the network is steady, each segment is paced slightly below the latest throughput, so that the queue stays short;
 * every fourth segment is a probe at the pace of `policy`. The pace is never below the segment's bitrate or the throughput
 * that the ABR algorithm needs to keep its rung; if these exceed the network's throughput, `policy` decides. The constants
 * were chosen on simulated networks (docs/results/log/slow-links.md).
 */
export const belowNetwork = (policy: PacePolicy): PacePolicy => ({
  name: policy.name,
  choosePace(input) {
    const decision = policy.choosePace(input);
    const { state, rung, abr, carried } = input;
    const [previous = Infinity, latest = 0] = carried.slice(-2);
    const isSteady =
      Math.max(latest / previous, previous / latest) < AGREEMENT &&
      latest <= LARGEST_FALL * Math.min(...carried);
    const isProbe = state.downloads.slice(1 - PROBE_PERIOD).every(({ pace_limited }) => pace_limited);
    if (decision.pace === null || state.buffer < LEAST_BUFFER_S || !isSteady || isProbe) return decision;
    const network = Math.max(latest, state.throughput);
    const needed = Math.max(
      nextBitrate(state, rung) * Math.max(1, state.playbackRate),
      abr.requiredThroughput(state, rung),
    );
    const pace = kbps(Math.max(SHARE * network, needed / EXPECTED_GOODPUT));
    return pace < network && pace < decision.pace ? { ...decision, pace, reason: 'below-network' } : decision;
  },
});
