const COLORS: Readonly<Record<string, string>> = {
  reno: 'var(--arm-1)',
  cubic: 'var(--arm-5)',
  bbr: 'var(--arm-7)',
  scalable: 'var(--arm-3)',
};

/** The same color in every figure; a congestion control that no figure knows is neutral. */
export const colorOf = (congestion: string): string => COLORS[congestion] ?? NEUTRAL;

export const NEUTRAL = 'var(--arm-0)';

/** For several flows of one picture. */
export const flowColor = (flow: number): string => `var(--arm-${1 + (flow % 7)})`;
