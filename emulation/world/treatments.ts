import type { SammyOptions } from '../../src/options.ts';
import { CAP_KBPS } from './demand.ts';

/** What a session's player does: options of the plug-in, and the highest rung's bitrate. */
export interface Policy {
  readonly sammy: SammyOptions;
  readonly cap_kbps: number;
}

/** The plug-in's HYB without pacing. */
export const CONTROL: Policy = { sammy: { pacing: false }, cap_kbps: Infinity };

export const TREATMENTS = {
  /** Unbiased Experiments §4: a ceiling for the bitrate, unpaced. */
  cap: { ...CONTROL, cap_kbps: CAP_KBPS },
  /** Sammy: HYB, and Algorithm 1's pace in the playing phase. */
  sammy: { ...CONTROL, sammy: { pacing: true } },
  /** The control under another name: there is no effect to be found. */
  none: CONTROL,
} as const satisfies Record<string, Policy>;
export type Treatment = keyof typeof TREATMENTS;
