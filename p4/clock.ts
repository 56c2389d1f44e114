/* One clock for everything that is measured on this machine. */

/** The first call of `performance.now()` loads it, which takes milliseconds, and any reading may be interrupted. */
const READINGS = 100;

/**
 * `performance.now()` is CLOCK_MONOTONIC since the start of its thread, and costs a tenth of `hrtime`. Time that passes
 * between the readings of the two only makes their difference smaller, so the largest is the closest.
 */
const origin = Math.max(
  ...Array.from({ length: READINGS }, () => Number(process.hrtime.bigint()) - performance.now() * 1e6),
);

/** Nanoseconds of CLOCK_MONOTONIC: the clock of the kernel's trace events when `trace_clock` is `mono`. */
export const monotonic = (): number => origin + performance.now() * 1e6;

/** The seconds to add to a time of CLOCK_MONOTONIC for the time since 1970; valid until somebody sets the clock. */
export const unixOffset_s = (): number => Date.now() / 1000 - monotonic() / 1e9;
