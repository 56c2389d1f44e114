/**
 * The axis of the number of flows. It is logarithmic to base 2, because with base 10 the value 64 would have no label.
 */
export const FLOWS_AXIS = {
  type: 'log',
  base: 2,
  ticks: [1, 4, 16, 64],
  tickFormat: 'd',
} as const;
