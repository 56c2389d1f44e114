/* The clock of all measurements on this machine. */

/**
 * Number of clock readings. One reading is not enough: the first call of `performance.now()` takes milliseconds, and an
 * interrupt can delay any reading.
 */
const READINGS = 100;

/**
 * The difference between CLOCK_MONOTONIC and `performance.now()`, in nanoseconds. `performance.now()` counts from the
 * start of its thread and is ten times cheaper to read than `hrtime`. A delay between the two readings of a pair
 * reduces their difference, so the largest difference is the most accurate.
 */
const origin = Math.max(
  ...Array.from({ length: READINGS }, () => Number(process.hrtime.bigint()) - performance.now() * 1e6),
);

/** CLOCK_MONOTONIC in nanoseconds: the clock of the kernel's trace events when `trace_clock` is `mono`. */
export const monotonic = (): number => origin + performance.now() * 1e6;

/** Seconds to add to a CLOCK_MONOTONIC time to get Unix time; valid until the system clock is set. */
export const unixOffset_s = (): number => Date.now() / 1000 - monotonic() / 1e9;
