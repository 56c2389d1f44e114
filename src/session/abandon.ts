import type { AbrState } from '../abr/abr.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import { segmentAt, type SegmentSizes } from '../film/segments.ts';
import { EXPECTED_SHARE, GRACE_S } from '../learning/first-bytes.ts';
import { isPaceLimited } from '../learning/throughput.ts';
import { kbps, averageRate, transferTime, type Bytes, type Kbps, type Seconds } from '../units.ts';

/** How much of a download has arrived, and the time since its first byte. */
export interface Received {
  readonly loaded: Bytes;
  readonly total: Bytes;
  readonly elapsed: Seconds;
}

/** A download in flight. */
export interface Progress extends Received {
  /** The requested pace. */
  readonly pace?: Kbps | null | undefined;
  /** The throughput that was expected when the request was sent. */
  readonly expected?: Kbps | null | undefined;
}

/** The role of the segment in flight. */
export interface SegmentRole {
  /** Whether the segment is already buffered in another quality and has not begun to play. */
  readonly replacement: boolean;
  /** Whether playback has not started, so that the viewer is waiting for this segment. */
  readonly initial: boolean;
  /** Duration of the segment. */
  readonly duration: Seconds;
}

/** The player's state that decides about abandoning. */
type AbandonState = Pick<AbrState, 'buffer' | 'playbackRate' | 'nextSegmentAt'>;

/**
 * The acceptable wait for a first segment, in segment durations. After a network collapse, the acceptable wait for any
 * segment. dash.js's `abandonDurationMultiplier`.
 */
const INITIAL_WAIT = 1.8;

/**
 * The stall, as a share of the segment's duration, that is too short to act on: a measurement over half a second cannot
 * predict it reliably.
 */
const DOUBTFUL_STALL = 0.25;

/**
 * The new download must take at most this share of the time that the present one still needs, because the received bytes are
 * discarded.
 */
const WORTHWHILE = 0.7;

/*
 * A download that would arrive before the buffer is empty is still abandoned after a network collapse: it would take most of
 * the buffer, and the next one would stall. All three conditions must hold, because most fades pass. With the last condition
 * alone, SSIM on Puffer's networks is 0.3 dB lower. Chosen in simulations on FCC broadband and Puffer's networks. dash.js's
 * own rule is 0.5 s and 1.8 segments, regardless of the buffer level.
 */
/** The download has lasted this long, s, and this share of the buffer level. */
const COLLAPSE_LEAST_S = 1;
const COLLAPSE_WATCHED = 0.2;
/** The throughput is at most this share of the expected throughput. */
const COLLAPSE_RATE = 0.2;
/**
 * The remainder takes longer than this share of the buffer level, or than `INITIAL_PATIENCE` segment durations if that is
 * longer.
 */
const COLLAPSE_SPENT = 0.3;

/**
 * Whether a download shows that the network is slow. A download that reaches its pace does not: a new one would have the same
 * pace.
 */
export const showsSlowNetwork = ({ loaded, total, elapsed, pace }: Progress): boolean =>
  elapsed >= GRACE_S &&
  loaded > 0 &&
  total > loaded &&
  !isPaceLimited({ size: loaded, duration: elapsed, pace });

/** The expected throughput of a download: that of the network or its pace. 0 if neither is known. */
const expectedThroughput = ({ expected, pace }: Progress): number =>
  Math.min(expected ?? 0, pace ?? Infinity);

/** The acceptable time for the remainder of a download after a network collapse, s. */
const acceptableWait = (playable_s: number, duration: Seconds): number =>
  Math.max(INITIAL_WAIT * duration, COLLAPSE_SPENT * playable_s);

/**
 * Returns the lower rung for which to abandon the download in flight, or undefined to let it continue.
 *
 * A download is abandoned if it would outlast the buffer (before playback: the acceptable wait), or would take too much of it
 * after a network collapse, and if the new download would finish clearly sooner. The new rung is the highest one that arrives
 * in time or at least as fast as it plays, else the lowest. The replacement of a buffered segment is never abandoned, because
 * playback does not depend on the replacement.
 *
 * `getLadder` is a function because reading the ladder from a player is slow, and most downloads do not need the ladder.
 */
export function chooseReplacementRung(
  state: AbandonState,
  current: Pick<Rung, 'bitrate_kbps'>,
  getLadder: () => Ladder | undefined,
  sizes: SegmentSizes | undefined,
  progress: Progress,
  { replacement, initial, duration }: SegmentRole,
): Rung | undefined {
  const { loaded, total, elapsed } = progress;
  if (replacement || !showsSlowNetwork(progress)) return undefined;
  const throughput = averageRate(loaded, elapsed);
  const remaining = transferTime((total - loaded) as Bytes, throughput);
  const playable_s = state.buffer / state.playbackRate;
  const collapsed =
    elapsed >= Math.max(COLLAPSE_LEAST_S, COLLAPSE_WATCHED * playable_s) &&
    throughput < COLLAPSE_RATE * expectedThroughput(progress);
  const inTime = Math.min(
    initial ? Math.max(0, INITIAL_WAIT * duration - elapsed) : playable_s + DOUBTFUL_STALL * duration,
    collapsed ? acceptableWait(playable_s, duration) : Infinity,
  );
  if (remaining <= inTime) return undefined;
  const lower = (getLadder() ?? []).filter((rung) => rung.bitrate_kbps < current.bitrate_kbps);
  const downloadTime = (rung: Rung): number => {
    const segment = segmentAt(sizes, rung.id, state.nextSegmentAt);
    // Without actual sizes, assume that sizes are proportional to bitrates.
    const size = segment?.size ?? (total * rung.bitrate_kbps) / current.bitrate_kbps;
    return transferTime(size as Bytes, kbps(EXPECTED_SHARE * throughput));
  };
  const isWorthwhile = (rung: Rung): boolean => downloadTime(rung) <= WORTHWHILE * remaining;
  const [lowest] = lower;
  return (
    lower.findLast((rung) => isWorthwhile(rung) && downloadTime(rung) <= Math.max(inTime, duration)) ??
    (lowest && isWorthwhile(lowest) ? lowest : undefined)
  );
}

/**
 * The time, s, for which `abandonFor` is sure to let the download continue, whatever arrives meanwhile, if playback continues
 * without a seek. A simulation in virtual time need not ask sooner.
 */
export function timeUntilAbandonment(
  { buffer, playbackRate }: Pick<AbrState, 'buffer' | 'playbackRate'>,
  progress: Progress,
  { initial, duration }: Pick<SegmentRole, 'initial' | 'duration'>,
): number {
  const { loaded, total, elapsed } = progress;
  const young = Math.max(0, GRACE_S - elapsed);
  if (loaded === 0) return young;
  const playable_s = buffer / playbackRate;
  // `inTime` as above. It decreases by one second per second. Before playback, the lower of the two applies, because playback
  // may begin.
  const inTime = Math.min(
    initial ? INITIAL_WAIT * duration - elapsed : Infinity,
    playable_s + DOUBTFUL_STALL * duration,
  );
  // Without further data, the remainder takes `share` times the elapsed time. Data that arrives reduces this time.
  const share = (total - loaded) / loaded;
  const late = (inTime - share * elapsed) / (1 + share);
  // The times at which each condition of a collapse becomes true, in the order of the constants.
  const collapsed = Math.max(
    COLLAPSE_LEAST_S - elapsed,
    (COLLAPSE_WATCHED * playable_s - elapsed) / (1 + COLLAPSE_WATCHED),
    transferTime(loaded, kbps(COLLAPSE_RATE * expectedThroughput(progress))) - elapsed,
    (INITIAL_WAIT * duration) / share - elapsed,
    (COLLAPSE_SPENT * playable_s - share * elapsed) / (COLLAPSE_SPENT + share),
  );
  return Math.max(young, Math.min(late, collapsed));
}
