import type { SammyOptions } from '../../../src/options.ts';
import { CAP_KBPS } from './demand.ts';

/** The plug-in's HYB without pacing. */
export const CONTROL: SammyOptions = { pacing: false };

/** The plug-in's options in treated sessions. */
export const TREATMENTS = {
  /** Unbiased Experiments §4: a ceiling for the bitrate, unpaced. */
  cap: { ...CONTROL, max_bitrate_kbps: CAP_KBPS },
  /** Sammy: HYB, and Algorithm 1's pace in the playing phase. */
  sammy: { ...CONTROL, pacing: true },
  /** The control under another name: there is no effect to be found. */
  none: CONTROL,
} as const satisfies Record<string, SammyOptions>;
export type Treatment = keyof typeof TREATMENTS;
