import { transferSize, millisecondsToSeconds, type Bytes, type Kbps } from '../../../src/units.ts';
import { PIECE_BYTES } from './piece-bytes.ts';
import { STEP_MS } from './sleepers.ts';

/** The kernel's send buffer for a socket, and the pace at which it drains. */
export interface SendBuffer {
  /** Null for a socket without a pace. */
  pace(): Kbps | null;
  /** The size of the buffer, and its free space; null if the system does not report them, or the socket is closed. */
  memory(): { readonly size: Bytes; readonly free: Bytes } | null;
  /**
   * Passes written data to the kernel immediately, instead of at the end of the event loop's turn. Returns whether the
   * kernel has accepted all data.
   */
  flush(): boolean;
}

/**
 * The free share of the buffer at which a body may write. The kernel also reports a socket as writable at a third
 * (sk_stream_is_writeable).
 */
const FREE_SHARE = 1 / 3;

/**
 * The shortest sleep, in steps. If a third of the buffer lasts for a shorter time, the body does not sleep, because a
 * timer would be too coarse. At such a high pace, a process can serve only a few viewers, so the memory of their pieces
 * does not matter.
 */
const LEAST_STEPS = 2;

/**
 * The time, in steps, for which the remaining buffer must last when a body wakes, so that the buffer does not run empty
 * if the process is delayed. At low paces, this is much less than two thirds of the buffer, so a body wakes less often
 * and writes larger pieces.
 */
const RESERVE_STEPS = 8;

/**
 * Returns the number of bytes of a body to read and write now, or the number of steps to sleep if there are none to
 * write. A paced body writes only what fits into the kernel's buffer, and sleeps until there is room. Otherwise, the
 * process would nearly always hold, for each paced client, 64 kB that do not fit. An unpaced body writes at once, and
 * the kernel reports when it has accepted everything.
 */
export function writableNow(buffer: SendBuffer): { readonly most: number; readonly sleepSteps: number } {
  const pace = buffer.pace();
  const memory = pace === null ? null : buffer.memory();
  if (pace === null || memory === null) return WHOLE_PIECE;
  const bytesPerStep = transferSize(pace, millisecondsToSeconds(STEP_MS));
  const third = memory.size * FREE_SHARE;
  if (third < LEAST_STEPS * bytesPerStep) return WHOLE_PIECE;
  const enough = Math.max(third, Math.min(memory.size - RESERVE_STEPS * bytesPerStep, PIECE_BYTES));
  if (memory.free >= enough) return { most: Math.min(memory.free, PIECE_BYTES), sleepSteps: 0 };
  return { most: 0, sleepSteps: Math.ceil((enough - memory.free) / bytesPerStep) };
}

const WHOLE_PIECE = { most: PIECE_BYTES, sleepSteps: 0 };
