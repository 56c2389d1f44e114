import { destination } from 'pino';

/** The most text that waits for a slow reader; what comes on top is dropped. */
const MOST_WAITING = 1_000_000;

export interface Stream {
  write(text: string): void;
}

/**
 * A stream to a file descriptor that never blocks the process. Lines are dropped while the reader is too slow, and after it
 * has gone (EPIPE, which pino's streams ignore) or its disk is full.
 */
export function openStream(descriptor: 1 | 2, onDrop: () => void): Stream {
  const stream = destination({ dest: descriptor, sync: false, maxLength: MOST_WAITING });
  stream.on('drop', onDrop);
  stream.on('error', onDrop);
  return stream;
}
