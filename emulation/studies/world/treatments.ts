import type { SammyOptions } from '../../../src/options.ts';
import { CAP_KBPS } from './demand.ts';

/** The plug-in's default algorithm, without pacing. */
export const CONTROL: SammyOptions = { pacing: false };

/** The plug-in's options in treated sessions. */
export const TREATMENTS = {
  /** A limit of the bitrate, without pacing (Unbiased Experiments §4). */
  cap: { ...CONTROL, max_bitrate_kbps: CAP_KBPS },
  /** The plug-in's defaults: the same algorithm with the adaptive pace in the playing phase. */
  sammy: { ...CONTROL, pacing: true },
  /** The same options as the control, so that there is no effect. */
  none: CONTROL,
} as const satisfies Record<string, SammyOptions>;
export type Treatment = keyof typeof TREATMENTS;
