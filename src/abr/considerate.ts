import type { CompletedDecision } from '../decision.ts';
import { demandKnown } from '../demand-known.ts';
import { demand } from '../demand.ts';
import { upTo } from '../film/ladder.ts';
import { hasMethods } from '../records.ts';
import { kbps } from '../units.ts';
import type { AbrAlgorithm, AbrState } from './abr.ts';
import { careful } from './careful.ts';

/** A smoothed round-trip time above this multiple of the least one means that a queue stands in front of the viewer. */
const QUEUED = 1.2;
/**
 * The share of the throughput estimate that the bitrate may have then. Chosen on 36 simulated links (2 to 20 Mbit/s, 20 and
 * 40 ms, queues of 50 to 250 kB) beside a neighbor that downloads 3 MB again and again: with 0.75 the viewer has less SSIM than
 * with stock dash.js on 15 of them, with 1.05 the neighbor waits more than 3% longer on 17.
 */
const SHARE = 0.9;

export interface ConsiderateOptions {
  /**
   * Chooses among the rungs that leave others their part.
   * @defaultValue careful()
   */
  readonly algorithm?: AbrAlgorithm;
}

/**
 * Puts others on the network before the viewer's quality: while a queue of others stands, `algorithm` chooses among the rungs
 * that leave them their part. A download that the pace limits leaves no queue behind, so the queue that the next request finds
 * is not the video's. Needs receipts with round-trip times; without them, `algorithm` chooses as usual.
 *
 * Throws an Error that names an option that is unknown or no algorithm.
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
        choose: (state) => session.choose(withoutOthersPart(state)),
        requiredThroughput: (state, rung) => session.requiredThroughput(state, rung),
      };
    },
  };
}

function withoutOthersPart(state: AbrState): AbrState {
  const { downloads, ladder, throughput } = state;
  return hasOthers(downloads) ? { ...state, ladder: upTo(ladder, kbps(SHARE * throughput)) } : state;
}

/** Whether the latest request after a paced download found a queue; without such a request, whether the latest one did. */
function hasOthers(downloads: readonly CompletedDecision[]): boolean {
  const afterPaced = downloads.findLast((_, index) => downloads[index - 1]?.pace_limited);
  const { rtt_ms = 0, min_rtt_ms = rtt_ms } = afterPaced ?? downloads.at(-1) ?? {};
  return rtt_ms > QUEUED * min_rtt_ms;
}
