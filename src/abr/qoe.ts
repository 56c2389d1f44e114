import { topRung, type Rung } from '../film/ladder.ts';
import { segmentAt } from '../film/segments.ts';
import { seconds } from '../units.ts';
import type { AbrState } from './abr.ts';
import { lookahead, nextSegment } from './lookahead.ts';

/**
 * The weights of a viewer's quality of experience: per segment, Q - λ |Q - Q_before| - μ max(T - B, 0) (Puffer's
 * thesis, Eq. 2.1). Q is SSIM in dB, T the download time in s, and B the buffer level in s.
 */
export interface QoeOptions {
  /**
   * λ: the cost of a quality difference of 1 dB to the previous segment, in dB; at least 0. The default is the thesis's
   * (§2.3.5).
   * @defaultValue 1
   */
  readonly lambda?: number;
  /**
   * μ: the cost of a second of stalling, in dB; above 0. The default is the thesis's (§2.3.5).
   * @defaultValue 100
   */
  readonly mu_per_s?: number;
  /**
   * H: the number of segments in a plan; from 1 to 8. The default is the thesis's (§2.3.5).
   * @defaultValue 5
   */
  readonly horizon?: number;
  /**
   * The reference for a segment's quality difference. `same-segment`: the same segment at the previous rung, so that
   * only switches count. `literal`: the previous segment, as in the thesis, so that differences between scenes count
   * too. Scenes differ more than rungs do, so a plan would take a lower rung for an easy scene between difficult
   * scenes, to make all segments look alike.
   * @defaultValue 'same-segment'
   */
  readonly variation?: 'same-segment' | 'literal';
  /**
   * Whether a switch up after the first step down needs a sustainable rung: at the end of the next 30 s of content, a
   * third of the player's buffer target must be left. With false, as in the thesis, the whole buffer is used up, and
   * there are two or three times as many switches on a network between two rungs.
   * @defaultValue true
   */
  readonly steady?: boolean;
}

/** The inputs of a plan except the network. All lists are indexed by step, then by rung, from the lowest. */
export interface PlanInputs {
  readonly steps: number;
  readonly rungs: number;
  /** Segment sizes, bytes. */
  readonly size: readonly Float64Array[];
  /** Duration of each step's segment, s. */
  readonly duration: readonly number[];
  /** Q - λ |Q - Q_before| by previous rung, then by rung. The first step has a single previous rung. */
  readonly gain: readonly (readonly Float64Array[])[];
  /** Whether SSIM is unknown for some segment. Quality is then 5 ln(r / r_lowest). */
  readonly byBitrate: boolean;
}

/**
 * The assumed quality gain per factor of e in the bitrate, used without SSIM. A doubling gains 5 ln 2 = 3.5 dB, typical
 * of VP9 and H.264.
 */
const DB_PER_E = 5;

export function planInputs(
  state: AbrState,
  { lambda, horizon, variation }: Required<QoeOptions>,
): PlanInputs {
  const { ladder } = state;
  const { duration } = nextSegment(state, ladder[0]);
  const coming = ladder.map((rung) => lookahead(state, rung, seconds((horizon - 0.5) * duration)));
  const steps = Math.min(horizon, ...coming.map(({ length }) => length));
  const segment = (step: number, rung: number) => coming[rung]?.[step];
  const range = Array.from({ length: steps }, (_, step) => step);
  const byBitrate = range.some((step) =>
    ladder.some((_, rung) => segment(step, rung)?.ssim_db === undefined),
  );
  const nominal = byBitrate
    ? Float64Array.from(ladder.map((rung) => bitrateQuality(state, rung)))
    : undefined;
  const quality = range.map(
    (step) => nominal ?? Float64Array.from(ladder.map((_, rung) => segment(step, rung)?.ssim_db ?? 0)),
  );

  const before = previousIndex(state);
  const gain = quality.map((here, step) => {
    const last = quality[step - 1];
    const reference = variation === 'literal' && last ? last : here;
    const rungsBefore =
      step > 0
        ? [...reference]
        : [
            before < 0
              ? undefined
              : variation === 'literal' && !byBitrate
                ? lastQuality(state)
                : here[before],
          ];
    return rungsBefore.map((from) => gainsFrom(from, here, lambda));
  });
  return {
    steps,
    rungs: ladder.length,
    size: range.map((step) => Float64Array.from(ladder.map((_, index) => segment(step, index)?.size ?? 0))),
    duration: range.map((step) => segment(step, 0)?.duration ?? duration),
    gain,
    byBitrate,
  };
}

/**
 * The gain of each rung after a segment of quality `from`. Uses a loop, because V8 does not inline the callback of a
 * typed array's `map`.
 */
function gainsFrom(from: number | undefined, here: Float64Array, lambda: number): Float64Array {
  const gains = here.slice();
  if (from === undefined) return gains;
  for (let rung = 0; rung < gains.length; rung++) {
    const quality = here[rung] ?? 0;
    gains[rung] = quality - lambda * Math.abs(quality - from);
  }
  return gains;
}

/** Quality derived from the bitrate alone, dB above the lowest rung. Used without SSIM. */
export const bitrateQuality = ({ ladder }: AbrState, rung: Rung): number =>
  DB_PER_E * Math.log(rung.bitrate_kbps / ladder[0].bitrate_kbps);

/**
 * The index of the previous rung, or of the highest rung below it if the ladder does not have it; -1 without a previous
 * rung.
 */
function previousIndex({ ladder, previous }: AbrState): number {
  if (!previous) return -1;
  return Math.max(
    0,
    ladder.findLastIndex(({ bitrate_kbps }) => bitrate_kbps <= previous.bitrate_kbps),
  );
}

/** SSIM of the segment before the next one, at its requested rung; undefined if unknown. */
function lastQuality(state: AbrState): number | undefined {
  const { previous = topRung(state.ladder), sizes, nextSegmentAt } = state;
  const { duration } = nextSegment(state, previous);
  const at = seconds(nextSegmentAt - duration);
  return at < 0 ? undefined : segmentAt(sizes, previous.id, at)?.ssim_db;
}
