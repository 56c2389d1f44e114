import type { AbrState } from '../abr/abr.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import { segmentAt, type SegmentSizes } from '../film/segments.ts';
import { EXPECTED_SHARE, GRACE_S } from '../learning/first-bytes.ts';
import { isPaceLimited } from '../learning/throughput.ts';
import { kbps, rateOf, timeAt, type Bytes, type Kbps, type Seconds } from '../units.ts';

/** A download in flight. */
export interface Progress {
  readonly loaded: Bytes;
  readonly total: Bytes;
  readonly elapsed: Seconds;
  /** The pace that was asked for. */
  readonly pace?: Kbps | null | undefined;
  /** The throughput that was expected as the request was made. */
  readonly expected?: Kbps | null | undefined;
}

/** What is at stake with the download in flight. */
export interface Stake {
  /** The segment is buffered already, in another quality, and has not begun to play. */
  readonly replacement: boolean;
  /** Playback has not started: the viewer waits for this very segment. */
  readonly initial: boolean;
  /** How long the segment plays. */
  readonly duration: Seconds;
}

/** What a download is given up by. */
type Situation = Pick<AbrState, 'buffer' | 'playbackRate' | 'nextSegmentAt'>;

/**
 * The wait for a first segment, in segment durations, that is put up with, and at any time for one whose network has
 * collapsed; dash.js's own (`abandonDurationMultiplier`).
 */
const INITIAL_PATIENCE = 1.8;

/** Of the segment's duration: a stall that is expected to be shorter may well be none, by half a second's measure. Ours. */
const DOUBTFUL_STALL = 0.25;

/** The new download must take at most this share of the time that the present one still needs, since its bytes are lost. */
const WORTHWHILE = 0.7;

/*
 * A download that would arrive before the buffer is empty is given up all the same where the network has collapsed: it
 * would take most of the buffer, and what comes after it would stall. All three conditions must hold, since most fades
 * pass: with the last one alone, SSIM on Puffer's networks is 0.3 dB lower. Ours, from the simulator, on FCC broadband and
 * Puffer's networks; dash.js's own rule is 0.5 s, and 1.8 segments, whatever is buffered.
 */
/** It has lasted so long, s, and such a share of what is buffered. */
const COLLAPSE_LEAST_S = 1;
const COLLAPSE_WATCHED = 0.2;
/** It has at most this share of the throughput that was expected. */
const COLLAPSE_RATE = 0.2;
/** What is left of it takes longer than this share of what is buffered, or than `INITIAL_PATIENCE` where that is more. */
const COLLAPSE_SPENT = 0.3;

/** Whether a download says that the network is slow. One that keeps to its pace does not, and anew would be paced too. */
export const saysSlow = ({ loaded, total, elapsed, pace }: Progress): boolean =>
  elapsed >= GRACE_S &&
  loaded > 0 &&
  total > loaded &&
  !isPaceLimited({ size: loaded, duration: elapsed, pace });

/** What a download is expected to carry: the network's throughput, or its pace. 0 where neither is known. */
const expectedOf = ({ expected, pace }: Progress): number => Math.min(expected ?? 0, pace ?? Infinity);

/** So long the rest of a download may take where the network has collapsed, s, with so much to play. */
const patienceWith = (playable_s: number, duration: Seconds): number =>
  Math.max(INITIAL_PATIENCE * duration, COLLAPSE_SPENT * playable_s);

/**
 * Should the download in flight be given up for a lower rung of the same segment? Yes, if it would outlast the buffer
 * (before playback: the viewer's patience), or takes too much of it on a network that has collapsed, and the highest rung
 * that would not, or would come as fast as it plays, or else the lowest, is there clearly sooner when begun now. Undefined:
 * let it go on. A replacement of what is buffered is never given up: nothing stalls without it.
 * A player is slow to tell its ladder, and for most downloads need not.
 */
export function abandonFor(
  state: Situation,
  current: Pick<Rung, 'bitrate_kbps'>,
  ladderOf: () => Ladder | undefined,
  sizes: SegmentSizes | undefined,
  progress: Progress,
  { replacement, initial, duration }: Stake,
): Rung | undefined {
  const { loaded, total, elapsed } = progress;
  if (replacement || !saysSlow(progress)) return undefined;
  const throughput = rateOf(loaded, elapsed);
  const remaining = timeAt((total - loaded) as Bytes, throughput);
  const playable_s = state.buffer / state.playbackRate;
  const collapsed =
    elapsed >= Math.max(COLLAPSE_LEAST_S, COLLAPSE_WATCHED * playable_s) &&
    throughput < COLLAPSE_RATE * expectedOf(progress);
  const inTime = Math.min(
    initial ? Math.max(0, INITIAL_PATIENCE * duration - elapsed) : playable_s + DOUBTFUL_STALL * duration,
    collapsed ? patienceWith(playable_s, duration) : Infinity,
  );
  if (remaining <= inTime) return undefined;
  const lower = (ladderOf() ?? []).filter((rung) => rung.bitrate_kbps < current.bitrate_kbps);
  const takes = (rung: Rung): number => {
    const segment = segmentAt(sizes, rung.id, state.nextSegmentAt);
    // Without real sizes the lower rung is as much smaller as its bitrate is lower.
    const size = segment?.size ?? (total * rung.bitrate_kbps) / current.bitrate_kbps;
    return timeAt(size as Bytes, kbps(EXPECTED_SHARE * throughput));
  };
  const pays = (rung: Rung): boolean => takes(rung) <= WORTHWHILE * remaining;
  const [lowest] = lower;
  return (
    lower.findLast((rung) => pays(rung) && takes(rung) <= Math.max(inTime, duration)) ??
    (lowest && pays(lowest) ? lowest : undefined)
  );
}

/**
 * For so long, s, `abandonFor` will let the download go on, whatever arrives meanwhile, if playback goes on and is not
 * sought. Who asks it in virtual time need not ask before.
 */
export function goesOnFor(
  { buffer, playbackRate }: Pick<AbrState, 'buffer' | 'playbackRate'>,
  progress: Progress,
  { initial, duration }: Pick<Stake, 'initial' | 'duration'>,
): number {
  const { loaded, total, elapsed } = progress;
  const young = Math.max(0, GRACE_S - elapsed);
  if (loaded === 0) return young;
  const playable_s = buffer / playbackRate;
  // `inTime` of above, which shrinks by a second a second; before playback the lower of the two, since it may begin.
  const inTime = Math.min(
    initial ? INITIAL_PATIENCE * duration - elapsed : Infinity,
    playable_s + DOUBTFUL_STALL * duration,
  );
  // With no more bytes the rest takes `share` of the time that has passed; what arrives makes it less.
  const share = (total - loaded) / loaded;
  const late = (inTime - share * elapsed) / (1 + share);
  // The same of each condition of a collapse: it has lasted so long, is so slow, and the rest takes so much of the buffer.
  const collapsed = Math.max(
    COLLAPSE_LEAST_S - elapsed,
    (COLLAPSE_WATCHED * playable_s - elapsed) / (1 + COLLAPSE_WATCHED),
    timeAt(loaded, kbps(COLLAPSE_RATE * expectedOf(progress))) - elapsed,
    (INITIAL_PATIENCE * duration) / share - elapsed,
    (COLLAPSE_SPENT * playable_s - share * elapsed) / (COLLAPSE_SPENT + share),
  );
  return Math.max(young, Math.min(late, collapsed));
}
