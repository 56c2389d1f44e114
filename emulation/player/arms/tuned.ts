import type { SammyOptions, SmoothOptions } from '../../../src/index.ts';
import { smooth } from '../../../src/pace/smooth.ts';
import type { Arm } from './arm.ts';
import { armNamed } from './index.ts';

/**
 * A listed arm with other constants, as plain data: experiments store it in their settings, and the page receives it as
 * JSON. `lab search` writes files of such arms, which `--arms BASE@FILE#NAME` reads.
 */
export interface TunedArm {
  /** The name, which no listed arm has. */
  readonly name: string;
  /** One line for the report. */
  readonly about: string;
  /** The listed arm that provides all other settings. */
  readonly base: string;
  readonly options: TunedOptions;
  /** The constants of `smooth()`, the pace that is planned from the sizes of the next segments; absent for other paces. */
  readonly smooth?: SmoothOptions;
}

export const TUNED_OPTIONS = ['c0', 'c1', 'beta', 'lookahead_s', 'safe_buffer_s'] as const;
export const SMOOTH_OPTIONS = ['reserve_s', 'growth', 'ample', 'horizon_s'] as const;

export type TunedOptions = Pick<SammyOptions, (typeof TUNED_OPTIONS)[number]>;

/**
 * Converts a tuned arm to an `Arm`. Throws an Error of one line for an unknown base, or a constant that is out of
 * range.
 */
export function armFromTuned({ name, about, base, options, smooth: constants }: TunedArm): Arm {
  const { sammy, ...others } = armNamed(base);
  return {
    ...others,
    name,
    about,
    sammy: { ...sammy, ...options, ...(constants && { pace: smooth(constants) }) },
  };
}

/** Finds an arm of an experiment by name: one of the experiment's tuned arms, or a listed arm. */
export function findArm({ tuned = [] }: { readonly tuned?: readonly TunedArm[] }, name: string): Arm {
  const own = tuned.find((each) => each.name === name);
  return own ? armFromTuned(own) : armNamed(name);
}
