import type { Rung } from '../film/ladder.ts';
import { kbps, timeAt } from '../units.ts';
import type { AbrState } from './abr.ts';
import { highestCarried } from './highest-carried.ts';
import { nextSegment } from './lookahead.ts';

/**
 * The highest rung that `share` of the throughput carries and whose next segment it brings within `share` of what is
 * buffered, or the lowest. With nothing buffered the viewer waits for the segment anyway.
 *
 * A segment may take twice what its rung's bitrate says. One that is asked for with a single segment in the buffer and
 * looks late while the window still grows is given up, and what has arrived of it is lost: hence both shares.
 */
export function carriedInTime(state: AbrState, share: number): Rung {
  const { ladder, buffer, throughput, playbackRate, lowLatency } = state;
  const carried = highestCarried(state, share);
  if (buffer === 0) return carried;
  const inTime = (rung: Rung): boolean => {
    const { size, duration } = nextSegment(state, rung);
    const takes = timeAt(size, kbps(share * throughput)) * playbackRate;
    return takes <= share * (buffer + (lowLatency ? duration : 0));
  };
  return ladder.findLast((rung) => rung.bitrate_kbps <= carried.bitrate_kbps && inTime(rung)) ?? ladder[0];
}
