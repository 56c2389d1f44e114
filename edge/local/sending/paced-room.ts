import { transferSize, millisecondsToSeconds, type Bytes, type Kbps } from '../../../src/units.ts';
import { PIECE_BYTES } from './piece-bytes.ts';
import { STEP_MS } from './sleepers.ts';

/** The kernel's send buffer for a socket, and the pace at which it is emptied. */
export interface SendBuffer {
  /** Null for a socket without a pace. */
  pace(): Kbps | null;
  /** The size of the buffer, and how much of it is free; null where the system does not tell, or the socket is closed. */
  memory(): { readonly size: Bytes; readonly free: Bytes } | null;
  /** Hands what was written to the kernel now, and not, as Node's HTTP does, after this turn. Whether it took all. */
  flush(): boolean;
}

/** The kernel, too, says that a socket may be written to when a third of its buffer is free (sk_stream_is_writeable). */
const FREE_SHARE = 1 / 3;

/**
 * Where a third of the buffer lasts for less, nothing is awaited: a timer would be too coarse. A process cannot serve so many
 * viewers of a pace that high that the memory of their pieces would matter.
 */
const LEAST_STEPS = 2;

/**
 * What must still be in the buffer when a body wakes, so that it does not run empty if the process is held up for so
 * long. At low paces this is much less than two thirds of the buffer, and so a body wakes less often, for larger pieces.
 */
const RESERVE_STEPS = 8;

/**
 * How much of a body to read and write now, and after how many steps of sleep to ask again if that is nothing. It is what
 * the kernel takes at once. A piece that it does not take stays in this process until there is room, and for a paced client
 * that is nearly always: 64 kB for each. So a paced body sleeps until there is room. An unpaced one writes, and the kernel
 * tells when it has taken all.
 */
export function pacedRoom(buffer: SendBuffer): { readonly most: number; readonly sleepSteps: number } {
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
