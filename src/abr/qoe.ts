import { topOf, type Rung } from '../film/ladder.ts';
import { segmentAt } from '../film/segments.ts';
import { seconds } from '../units.ts';
import type { AbrState } from './abr.ts';
import { lookahead, nextSegment } from './lookahead.ts';

/** What a viewer's experience is made of (Puffer, thesis Eq. 2.1): Q - λ |Q - Q_before| - μ max(T - B, 0) a segment. */
export interface QoeOptions {
  /**
   * λ: what a dB of difference to the segment before costs, in dB; at least 0. The thesis's (§2.3.5).
   * @defaultValue 1
   */
  readonly lambda?: number;
  /**
   * μ: what a second of stalling costs, in dB; above 0. The thesis's (§2.3.5).
   * @defaultValue 100
   */
  readonly mu_per_s?: number;
  /**
   * H: so many segments are planned; from 1 to 8. The thesis's (§2.3.5).
   * @defaultValue 5
   */
  readonly horizon?: number;
  /**
   * What a segment's quality differs from. `same-segment`: from that of the same segment at the rung before, so that only
   * switches count. `literal`, as in the thesis: from that of the segment before, so that content counts too, which
   * varies more than rungs do: an easy scene between hard ones is then to look no better than they.
   * @defaultValue 'same-segment'
   */
  readonly variation?: 'same-segment' | 'literal';
  /**
   * Once the rungs have gone down for the first time, go up only where the higher one lasts: at the end of the next 30 s
   * of content a third of what the player fills up to is to be left. False, as in the thesis, spends the
   * buffer to the end, and switches two or three times as often where the network carries something between two rungs.
   * @defaultValue true
   */
  readonly steady?: boolean;
}

/** The gains of a plan's steps, without its stalls. All lists are by step, then by rung, from the lowest. */
export interface Course {
  readonly steps: number;
  readonly rungs: number;
  /** Sizes, bytes. */
  readonly size: readonly Float64Array[];
  /** How long the step's segment plays, s. */
  readonly duration: readonly number[];
  /** Q - λ |Q - Q_before| by the rung before, then by rung. The first step has but one rung before. */
  readonly gain: readonly (readonly Float64Array[])[];
  /** SSIM is not known of every segment: quality is 5 ln(r / r_lowest). */
  readonly byBitrate: boolean;
}

/** Without SSIM: 5 dB for each factor e of the bitrate, which is about what a doubling of the rate of VP9 or H.264 gives, 3.5 dB. */
const DB_PER_E = 5;

export function courseOf(state: AbrState, { lambda, horizon, variation }: Required<QoeOptions>): Course {
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

/** Of each rung, after a segment of the quality `from`. A loop, since V8 calls what a typed array maps with, each time. */
function gainsFrom(from: number | undefined, here: Float64Array, lambda: number): Float64Array {
  const gains = here.slice();
  if (from === undefined) return gains;
  for (let rung = 0; rung < gains.length; rung++) {
    const quality = here[rung] ?? 0;
    gains[rung] = quality - lambda * Math.abs(quality - from);
  }
  return gains;
}

/** Without SSIM: what the bitrate alone tells, dB above the lowest rung. */
export const bitrateQuality = ({ ladder }: AbrState, rung: Rung): number =>
  DB_PER_E * Math.log(rung.bitrate_kbps / ladder[0].bitrate_kbps);

/** Of the previous rung, or of the highest below it where the ladder has lost it; below 0 without a previous one. */
function previousIndex({ ladder, previous }: AbrState): number {
  if (!previous) return -1;
  return Math.max(
    0,
    ladder.findLastIndex(({ bitrate_kbps }) => bitrate_kbps <= previous.bitrate_kbps),
  );
}

/** SSIM of the segment before the next one, at the rung that it was asked for; undefined where it is not known. */
function lastQuality(state: AbrState): number | undefined {
  const { previous = topOf(state.ladder), sizes, nextSegmentAt } = state;
  const { duration } = nextSegment(state, previous);
  const at = seconds(nextSegmentAt - duration);
  return at < 0 ? undefined : segmentAt(sizes, previous.id, at)?.ssim_db;
}
