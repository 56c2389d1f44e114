import { congestionControls, type CongestionControl } from '../../../emulation/network/congestion/index.ts';

/** The same color in every figure; a congestion control that the lab does not know is neutral. */
export const congestionColor = (congestion: string): string =>
  (congestionControls as Readonly<Record<string, CongestionControl>>)[congestion]?.color ?? NEUTRAL;

export const NEUTRAL = 'var(--arm-0)';

/** For several flows of one picture. */
export const flowColor = (flow: number): string => `var(--arm-${1 + (flow % 7)})`;
