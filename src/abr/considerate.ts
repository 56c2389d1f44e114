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
 * The largest bitrate while there is a queue, as a share of the throughput estimate. This constant and `DELIVERY_SHARE`
 * were chosen on 18 simulated links of 1 to 40 Mbit/s (round trip 40 ms) with queues of 1, 4 and 10 bandwidth-delay
 * products, where a neighbor downloads 3 MB repeatedly. From 2 Mbit/s on, the neighbor never waits over 3% longer than
 * beside stock dash.js, and the viewer loses 0.1 to 0.5 dB of SSIM on 5 links. With 0.9, the viewer loses up to 2.2 dB
 * on 9 links; with 1.2, the neighbor waits over 3% longer on 4 links.
 */
const COMPETING_SHARE = 1.05;
/**
 * The largest bitrate while there is a queue, as a share of the delivery rate in the queue. The larger of this limit
 * and the limit by `COMPETING_SHARE` applies. With 1.2 (and a `COMPETING_SHARE` of 1.1), the neighbor waits over 3%
 * longer on 4 of the 18 links.
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
 * Prioritizes other traffic over the viewer's quality: while other traffic fills a queue, `algorithm` chooses only
 * among rungs that leave bandwidth to others. A pace-limited download causes no queue, so a queue after it is due to
 * other traffic. Needs receipts with round-trip times; without them, `algorithm` chooses as usual.
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
 * The delivery rate of the connection times the share of the round-trip time that is spent in the queue; the maximum
 * over the latest downloads. With a long queue, TCP needs most of a segment to reach its share of the link, so the
 * throughput of whole segments is far below this share. A limit by throughput alone would reduce the quality with no
 * gain for others.
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
 * Whether there was a queue during the latest download that followed a pace-limited download or, if there is none,
 * during the latest download.
 */
function hasCompetingTraffic(downloads: readonly CompletedDecision[]): boolean {
  const afterPaced = downloads.findLast((_, index) => downloads[index - 1]?.pace_limited);
  const { rtt_ms = 0, min_rtt_ms = rtt_ms } = afterPaced ?? downloads.at(-1) ?? {};
  return rtt_ms > QUEUE_RTT_RATIO * min_rtt_ms;
}
