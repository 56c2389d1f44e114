import { congestionControls, type CongestionControl } from '../../../emulation/network/congestion/index.ts';

/**
 * Returns the color of a congestion control, the same in every figure; a neutral color if the lab does not know the
 * congestion control.
 */
export const congestionColor = (congestion: string): string =>
  (congestionControls as Readonly<Record<string, CongestionControl>>)[congestion]?.color ?? NEUTRAL;

export const NEUTRAL = 'var(--arm-0)';

/** Returns the color of one of several flows in the same chart. */
export const flowColor = (flow: number): string => `var(--arm-${1 + (flow % 7)})`;
