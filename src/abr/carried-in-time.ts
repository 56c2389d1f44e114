import type { Rung } from '../film/ladder.ts';
import { kbps, transferTime } from '../units.ts';
import type { AbrState } from './abr.ts';
import { highestCarried } from './highest-carried.ts';
import { nextSegment } from './lookahead.ts';

/**
 * The highest rung that `share` of the throughput sustains and whose next segment arrives within `share` of the buffer
 * level, or else the lowest rung. With an empty buffer, the second condition does not apply, because the viewer waits
 * anyway.
 *
 * Both conditions are needed because a segment may have twice the size that its rung's bitrate suggests. With only one
 * segment buffered, such a large segment would look late while the congestion window still grows, and would be
 * abandoned, which wastes the received part.
 */
export function carriedInTime(state: AbrState, share: number): Rung {
  const { ladder, buffer, throughput, playbackRate, lowLatency } = state;
  const carried = highestCarried(state, share);
  if (buffer === 0) return carried;
  const inTime = (rung: Rung): boolean => {
    const { size, duration } = nextSegment(state, rung);
    const takes = transferTime(size, kbps(share * throughput)) * playbackRate;
    return takes <= share * (buffer + (lowLatency ? duration : 0));
  };
  return ladder.findLast((rung) => rung.bitrate_kbps <= carried.bitrate_kbps && inTime(rung)) ?? ladder[0];
}
