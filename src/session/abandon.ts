import type { AbrState } from '../abr/abr.ts';
import type { Decision } from '../decision.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import { segmentAt, type SegmentSizes } from '../film/segments.ts';
import { EXPECTED_SHARE, GRACE_S } from '../learning/first-bytes.ts';
import { isPaceLimited } from '../learning/throughput.ts';
import { kbps, averageRate, transferTime, type Bytes, type Kbps, type Seconds } from '../units.ts';

/** The bytes of a download that have arrived, and the time since the first byte. */
export interface Received {
  readonly loaded: Bytes;
  readonly total: Bytes;
  readonly elapsed: Seconds;
}

/** A download in flight. */
export interface Progress extends Received {
  /** The requested pace. */
  readonly pace?: Kbps | null | undefined;
  readonly expectedThroughput?: Kbps | null | undefined;
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

/** The parts of the player's state that affect the decision to abandon. */
type AbandonState = Pick<AbrState, 'buffer' | 'playbackRate' | 'nextSegmentAt'>;

/**
 * The acceptable wait for a segment before playback starts, in segment durations. After a network collapse, it applies
 * to every segment. dash.js's `abandonDurationMultiplier`.
 */
const INITIAL_WAIT = 1.8;

/**
 * The longest predicted stall, as a share of the segment's duration, for which no download is abandoned. A measurement
 * over half a second cannot predict shorter stalls reliably.
 */
const DOUBTFUL_STALL = 0.25;

/**
 * The replacement must take at most this share of the remaining time of the download in flight, because the received
 * bytes are discarded.
 */
const WORTHWHILE = 0.7;

/*
 * After a network collapse, a download is abandoned even if it would arrive before the buffer is empty, because it
 * would use up most of the buffer, and the next segment would stall. A collapse is detected when all three conditions
 * below hold, because most slow periods are short. With the last condition alone, SSIM on Puffer's networks is 0.3 dB
 * lower. Chosen in simulations on FCC broadband and Puffer's networks. dash.js's own rule ignores the buffer level: it
 * abandons downloads that take over 1.8 segment durations, from 0.5 s on.
 */
/** First condition: the download has lasted at least this long, s. */
const COLLAPSE_LEAST_S = 1;
/** The download has also lasted at least this share of the buffer level. */
const COLLAPSE_WATCHED = 0.2;
/** Second condition: the throughput is below this share of the expected throughput. */
const COLLAPSE_RATE = 0.2;
/**
 * Third condition: the remainder takes longer than this share of the buffer level, and longer than `INITIAL_WAIT`
 * segment durations.
 */
const COLLAPSE_SPENT = 0.3;

/**
 * Whether a download is slow because of the network. A download that reaches its pace is slow because of the pace, so
 * a new download would not be faster.
 */
export const showsSlowNetwork = ({ loaded, total, elapsed, pace }: Progress): boolean =>
  elapsed >= GRACE_S &&
  loaded > 0 &&
  total > loaded &&
  !isPaceLimited({ size: loaded, duration: elapsed, pace });

/** The expected throughput of a download: the network's throughput or the pace, whichever is lower. 0 if unknown. */
const expectedRate = ({ expectedThroughput, pace }: Progress): number =>
  Math.min(expectedThroughput ?? 0, pace ?? Infinity);

/** The acceptable time for the remainder of a download after a network collapse, s. */
const acceptableWait = (playable_s: number, duration: Seconds): number =>
  Math.max(INITIAL_WAIT * duration, COLLAPSE_SPENT * playable_s);

/**
 * Returns the lower rung for which to abandon the download in flight, or undefined to let it continue.
 *
 * A download is abandoned if it would take longer than the buffer lasts (before playback: longer than the acceptable
 * wait), or if it would take too much of the buffer after a network collapse. In addition, the new download must finish
 * clearly sooner. The new rung is the highest rung whose segment arrives in time or at least as fast as it plays, or
 * else the lowest rung. The replacement of a buffered segment is never abandoned, because playback does not depend on
 * the replacement.
 *
 * `getLadder` is a function because reading the ladder from a player is slow, and most downloads do not need the ladder.
 */
export function chooseReplacementRung(
  state: AbandonState,
  current: Pick<Decision, 'bitrate_kbps'>,
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
    throughput < COLLAPSE_RATE * expectedRate(progress);
  const inTime = Math.min(
    initial ? INITIAL_WAIT * duration - elapsed : playable_s + DOUBTFUL_STALL * duration,
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
 * The time, s, during which `chooseReplacementRung` will certainly let the download continue, however little data
 * arrives, if playback continues without a seek. A simulation in virtual time can skip the checks during this time.
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
  // The longest time that the remainder may take without being late. It decreases by one second per second. Before
  // playback, the limits of both states apply, because playback may begin at any time.
  const inTime = Math.min(
    initial ? INITIAL_WAIT * duration - elapsed : Infinity,
    playable_s + DOUBTFUL_STALL * duration,
  );
  // At the mean rate so far, the remainder takes `share` times the elapsed time. This prediction is longest if no more
  // data arrives.
  const share = (total - loaded) / loaded;
  const late = (inTime - share * elapsed) / (1 + share);
  // The earliest times at which each condition of a collapse can become true, in the order of the constants.
  const collapsed = Math.max(
    COLLAPSE_LEAST_S - elapsed,
    (COLLAPSE_WATCHED * playable_s - elapsed) / (1 + COLLAPSE_WATCHED),
    transferTime(loaded, kbps(COLLAPSE_RATE * expectedRate(progress))) - elapsed,
    (INITIAL_WAIT * duration) / share - elapsed,
    (COLLAPSE_SPENT * playable_s - share * elapsed) / (COLLAPSE_SPENT + share),
  );
  return Math.max(young, Math.min(late, collapsed));
}
