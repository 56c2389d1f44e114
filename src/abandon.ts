import { lookahead, type AbrState } from './abr.ts';
import type { Rung } from './ladder.ts';
import { totalSize } from './segments.ts';
import { isPaceLimited } from './throughput.ts';
import { kbps, rateOf, seconds, timeAt, type Bytes, type Kbps, type Seconds } from './units.ts';

/** A download in flight. */
export interface Progress {
  readonly loaded: Bytes;
  readonly total: Bytes;
  readonly elapsed: Seconds;
  /** The pace that was asked for. */
  readonly pace?: Kbps | undefined;
}

/** Before this the first bytes say too little; dash.js waits as long (`minSegmentDownloadTimeThresholdInMs`). */
const GRACE_S = 0.5;

/**
 * Should the download in flight be given up for a lower rung of the same segment? Yes, if it would outlast
 * the buffer and another rung, begun now, would be there sooner. Undefined: let it go on.
 */
export function abandonFor(
  state: AbrState,
  current: Rung,
  progress: Progress,
  beta: number,
): Rung | undefined {
  if (progress.elapsed < GRACE_S || progress.loaded <= 0 || !(progress.total > progress.loaded))
    return undefined;
  // A download that keeps to its pace says nothing against the network, and anew would be paced too.
  if (isPaceLimited({ size: progress.loaded, duration: progress.elapsed, pace: progress.pace }))
    return undefined;
  const throughput = rateOf(progress.loaded, progress.elapsed);
  const remaining = timeAt((progress.total - progress.loaded) as Bytes, throughput);
  if (remaining * state.playbackRate <= state.buffer) return undefined;
  const lower = state.ladder.filter((rung) => rung.bitrate_kbps < current.bitrate_kbps);
  return lower.findLast((rung) => {
    const size = totalSize(lookahead(state, rung, seconds(1e-3)));
    const known = state.sizes?.upcoming(rung.id, state.nextSegmentAt, seconds(1e-3)) !== undefined;
    // Without real sizes the lower rung is as much smaller as its bitrate is lower.
    const whole = known ? size : (progress.total * rung.bitrate_kbps) / current.bitrate_kbps;
    return timeAt(whole as Bytes, kbps(beta * throughput)) < remaining;
  });
}
