import { transferSize, millisecondsToSeconds, type Bytes, type Kbps } from '../../../src/units.ts';
import { PIECE_BYTES } from './piece-bytes.ts';
import { STEP_MS } from './sleepers.ts';

/** The kernel's send buffer for a socket, and the pace at which it drains. */
export interface SendBuffer {
  /** Null for a socket without a pace. */
  pace(): Kbps | null;
  /** The size of the buffer, and its free part; null if the system does not report them, or the socket is closed. */
  memory(): { readonly size: Bytes; readonly free: Bytes } | null;
  /**
   * Passes written data to the kernel immediately, whereas Node's HTTP waits for the end of the turn. Returns whether the
   * kernel accepted all data.
   */
  flush(): boolean;
}

/** The kernel too reports a socket as writable when a third of its buffer is free (sk_stream_is_writeable). */
const FREE_SHARE = 1 / 3;

/**
 * If a third of the buffer lasts for less, the body does not sleep, because a timer would be too coarse. A process cannot
 * serve so many viewers at such a high pace that the memory of their pieces would matter.
 */
const LEAST_STEPS = 2;

/**
 * The steps that the remaining buffer must last when a body wakes, so that it does not run empty if the process is delayed.
 * At low paces this is much less than two thirds of the buffer, so a body wakes less often, for larger pieces.
 */
const RESERVE_STEPS = 8;

/**
 * Returns the amount of a body to read and write now, and the number of steps to sleep if that is 0. The amount is the
 * kernel's free space. A piece that does not fit stays in this process, which for a paced client is nearly always: 64 kB for
 * each. So a paced body sleeps until there is room. An unpaced body writes, and the kernel reports when it has accepted
 * everything.
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
