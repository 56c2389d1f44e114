import type { Measured } from '../../../../../emulation/player/records/metrics.ts';
import { MARGINS } from '../../../../../emulation/player/records/margins.ts';
import { NEIGHBORS, type NeighborName } from './link-setup.ts';

/** The minimum increase of the play delay that the sentence mentions: the shortest stall that counts as a rebuffer. */
const START_MARGIN_MS = 100;

/**
 * Compares an arm with the control, for its viewer and for the neighbor, such as `viewer: the same; neighbor: −37%`.
 * The viewer's part says "the same" if neither stalls nor quality differ by more than the lab's margins, nor the play
 * delay by `START_MARGIN_MS`; otherwise it states the differences.
 */
export const sentence = (control: Measured, treated: Measured, neighbor: NeighborName): string =>
  `viewer: ${viewerWords(control, treated)}; neighbor: ${neighborWords(control, treated, neighbor)}`;

export function viewerWords(control: Measured, treated: Measured): string {
  const [before_ms, after_ms] = [control.play_delay_ms, treated.play_delay_ms];
  if (isMissing(after_ms)) return isMissing(before_ms) ? 'never starts, as without' : 'never starts';
  if (isMissing(before_ms)) return 'starts at all';
  const stalls = (treated.rebuffer_ratio ?? 0) - (control.rebuffer_ratio ?? 0);
  const quality = (treated.mean_ssim_db ?? 0) - (control.mean_ssim_db ?? 0);
  const words = [
    ...(Math.abs(stalls) > MARGINS.rebuffer_ratio ? [`stalls ${signed(100 * stalls, 1)} points`] : []),
    ...(Math.abs(quality) > MARGINS.mean_ssim_db ? [`picture ${signed(quality, 1)} dB`] : []),
    ...(Math.abs(after_ms - before_ms) >= START_MARGIN_MS
      ? [`start ${signed((after_ms - before_ms) / 1000, 1)} s`]
      : []),
  ];
  return words.length > 0 ? words.join(', ') : 'the same';
}

export function neighborWords(control: Measured, treated: Measured, neighbor: NeighborName): string {
  const { metric } = NEIGHBORS[neighbor];
  const [before, after] = [control[metric], treated[metric]];
  if (isMissing(after)) return 'nothing arrived';
  if (isMissing(before)) return 'nothing arrived without';
  const change = Math.round((100 * (after - before)) / before);
  return change === 0 ? 'the same' : `${signed(change, 0)}%`;
}

export const isMissing = (value: number | null | undefined): value is null | undefined =>
  value === null || value === undefined;

export const signed = (value: number, digits: number): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;
