import { nextBitrate } from '../abr/lookahead.ts';
import { EXPECTED_GOODPUT, type PacePolicy } from './pace.ts';
import { kbps } from '../units.ts';

/**
 * The lowest buffer level, s, at which segments are slowed down. A lower value of 6 s does not shorten round-trip
 * times.
 */
const LEAST_BUFFER_S = 8;
/**
 * The pace, as a share of the network's throughput: the latest network-limited sample or the estimate, whichever is
 * higher. A share of 0.97 is low enough for the queue to drain. With 0.8, SSIM is 0.1 dB lower on Oboe's networks, at
 * equal round-trip times.
 */
const SHARE = 0.97;
/**
 * One in this many segments is a probe of the network's capacity, at the policy's own pace. With 6, SSIM is 0.03 dB
 * lower on FCC's networks.
 */
const PROBE_PERIOD = 4;
/**
 * The latest two throughputs must agree within this factor, because a network with sudden changes is unpredictable.
 * With 1.3, SSIM is 0.03 dB lower on FCC's networks.
 */
const AGREEMENT = 1.2;
/**
 * The lowest throughput of the last minute must be at least the latest throughput divided by this. A network that was
 * much slower may soon be slow again, so it is better to fill the buffer. Without this condition, SSIM is 0.2 dB lower
 * on slow Puffer networks.
 */
const LARGEST_FALL = 3;

/**
 * Chooses a pace below the network's throughput if `policy` would choose a higher pace. A pace above the network's
 * throughput has no effect: the download fills the queue, and all traffic that shares the queue is delayed. If enough
 * is buffered and the network is steady, each segment is paced slightly below the network's throughput, so that the
 * queue stays short. Every fourth segment is a probe at the pace of `policy`. The pace is never below the segment's
 * bitrate or the throughput that the ABR algorithm needs to keep its rung. If either exceeds the network's throughput,
 * the pace is that of `policy`. The constants were chosen on simulated networks (docs/results/log/slow-links.md).
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
