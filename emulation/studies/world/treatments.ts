import type { SammyOptions } from '../../../src/options.ts';
import { CAP_KBPS } from './demand.ts';

/** The plug-in's HYB, without pacing. */
export const CONTROL: SammyOptions = { pacing: false };

/** The plug-in's options in treated sessions. */
export const TREATMENTS = {
  /** A limit of the bitrate, without pacing (Unbiased Experiments §4). */
  cap: { ...CONTROL, max_bitrate_kbps: CAP_KBPS },
  /** HYB with Sammy's pace (Algorithm 1) in the playing phase. */
  sammy: { ...CONTROL, pacing: true },
  /** The same options as the control, so that there is no effect. */
  none: CONTROL,
} as const satisfies Record<string, SammyOptions>;
export type Treatment = keyof typeof TREATMENTS;
