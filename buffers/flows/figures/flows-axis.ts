/** The axis of the number of flows. Of a logarithmic axis to another base, 64 would have no label. */
export const FLOWS_AXIS = {
  type: 'log',
  base: 2,
  ticks: [1, 4, 16, 64],
  tickFormat: 'd',
} as const;
