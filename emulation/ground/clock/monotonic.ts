/**
 * ms of CLOCK_MONOTONIC, which every process of the machine reads alike, in whatever namespace; one-way delays are
 * measured with it. `performance.timeOrigin` is less exact: each process reads it off the wall clock, which may be set
 * or slewed between two starts.
 */
export const monotonic_ms = (): number => Number(process.hrtime.bigint()) / 1e6;
