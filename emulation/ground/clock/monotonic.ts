/**
 * CLOCK_MONOTONIC, ms. One-way delays are measured with this clock, since all processes of the machine share it, in any
 * namespace. `performance.timeOrigin` is less exact: each process derives it from the wall clock, which may be set or
 * slewed between two starts.
 */
export const monotonic_ms = (): number => Number(process.hrtime.bigint()) / 1e6;
