import type { CompletedDecision } from '../decision.ts';
import { demandKnown } from '../demand-known.ts';
import { demand } from '../demand.ts';
import { rungsUpTo } from '../film/ladder.ts';
import { hasMethods } from '../records.ts';
import { kbps, type Kbps } from '../units.ts';
import type { AbrAlgorithm, AbrState } from './abr.ts';
import { careful } from './careful.ts';

/** A smoothed round-trip time above this multiple of the minimum indicates a queue on the path to the viewer. */
const QUEUE_RTT_RATIO = 1.2;
/**
 * The share of the throughput estimate that the bitrate may use while there is a queue. Chosen on 36 simulated links (2 to 20
 * Mbit/s, 20 and 40 ms, queues of 50 to 250 kB) that a neighbor shares with repeated 3 MB downloads. With 0.75, the viewer has
 * less SSIM than with stock dash.js on 15 links; with 1.05, the neighbor waits over 3% longer on 17.
 */
const COMPETING_SHARE = 0.9;
/**
 * The share of the delivery rate in the queue that the bitrate may use then; the larger of the two limits holds. Chosen on 15 such links of 2 to 40 Mbit/s and 40 ms, with queues of 1, 4 and 10
 * bandwidth-delay products: with 1.1, the neighbor waits over 3% longer than beside stock dash.js on four of the ten with the
 * longer queues; without it, the viewer has up to 2.9 dB less SSIM.
 */
const DELIVERY_SHARE = 0.8;
/** The number of latest video downloads whose delivery rates are compared. */
const LATEST_DOWNLOADS = 4;

export interface ConsiderateOptions {
  /**
   * The algorithm that chooses among the allowed rungs.
   * @defaultValue careful()
   */
  readonly algorithm?: AbrAlgorithm;
}

/**
 * Prioritizes other traffic over the viewer's quality: while other traffic has a queue, `algorithm` chooses only among rungs
 * that leave bandwidth to others. A pace-limited download leaves no queue, so a queue that the next request encounters is not
 * caused by the video. Needs receipts with round-trip times; without them, `algorithm` chooses as usual.
 *
 * Throws an Error that names an option that is unknown, or an `algorithm` without the method `session`.
 */
export function considerate(options: ConsiderateOptions = {}): AbrAlgorithm {
  const { algorithm = careful() } = options;
  demandKnown('considerate', options, { algorithm });
  demand(hasMethods(algorithm, 'session'), 'option algorithm', algorithm, 'an algorithm');
  return {
    ...algorithm,
    name: `considerate-${algorithm.name}`,
    session(own) {
      const session = algorithm.session(own);
      return {
        observe: (event) => session.observe?.(event),
        choose: (state) => session.choose(limitLadder(state)),
        requiredThroughput: (state, rung) => session.requiredThroughput(state, rung),
      };
    },
  };
}

function limitLadder(state: AbrState): AbrState {
  const { downloads, ladder, throughput } = state;
  if (!hasCompetingTraffic(downloads)) return state;
  const limit = Math.max(COMPETING_SHARE * throughput, DELIVERY_SHARE * deliveryInQueue(downloads));
  return { ...state, ladder: rungsUpTo(ladder, kbps(limit)) };
}

/**
 * The delivery rate of the connection, times the share of the round-trip time that is spent in the queue; the highest of the
 * latest downloads. Behind a long queue, TCP takes most of a segment to reach its share of the link, so the throughput of
 * whole segments is far below that share, and the video would give up quality of which others gain nothing.
 */
function deliveryInQueue(downloads: readonly CompletedDecision[]): Kbps {
  const rates = downloads
    .filter(({ media_type }) => media_type === 'video')
    .slice(-LATEST_DOWNLOADS)
    .map(({ etp_kbps = 0, rtt_ms = 0, min_rtt_ms = rtt_ms }) =>
      rtt_ms > 0 ? etp_kbps * (1 - min_rtt_ms / rtt_ms) : 0,
    );
  return kbps(Math.max(0, ...rates));
}

/**
 * Whether the latest request after a paced download encountered a queue. If no request followed a paced download, the latest
 * request decides.
 */
function hasCompetingTraffic(downloads: readonly CompletedDecision[]): boolean {
  const afterPaced = downloads.findLast((_, index) => downloads[index - 1]?.pace_limited);
  const { rtt_ms = 0, min_rtt_ms = rtt_ms } = afterPaced ?? downloads.at(-1) ?? {};
  return rtt_ms > QUEUE_RTT_RATIO * min_rtt_ms;
}
