/**
 * CLOCK_MONOTONIC, ms. All processes of the machine share it, in any namespace, so one-way delays are measured with it.
 * `performance.timeOrigin` is less exact: each process derives it from the wall clock, which may be set or slewed between two
 * starts.
 */
export const monotonic_ms = (): number => Number(process.hrtime.bigint()) / 1e6;
