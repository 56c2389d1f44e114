import type { Rung } from '../film/ladder.ts';
import { kbps, transferTime } from '../units.ts';
import type { AbrState } from './abr.ts';
import { highestCarried } from './highest-carried.ts';
import { nextSegment } from './lookahead.ts';

/**
 * The highest rung that `share` of the throughput sustains and whose next segment arrives within `share` of the buffer level,
 * or the lowest. With an empty buffer, the viewer waits for the segment anyway.
 *
 * Both shares are needed because a segment may have twice the size that its rung's bitrate suggests. If one is requested with
 * a single segment buffered and looks late while the congestion window still grows, it is abandoned, and the received part is
 * wasted.
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
