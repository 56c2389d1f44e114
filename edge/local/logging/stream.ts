import { destination } from 'pino';

/** The maximum amount of text that waits for a slow reader, characters. Further lines are dropped. */
const MOST_WAITING = 1_000_000;

export interface Stream {
  write(text: string): void;
}

/**
 * Opens a stream to a file descriptor that never blocks the process. Lines are dropped while the reader is too slow,
 * after the reader has closed (EPIPE, which pino's streams ignore), and while the disk is full.
 */
export function openStream(descriptor: 1 | 2, onDrop: () => void): Stream {
  const stream = destination({ dest: descriptor, sync: false, maxLength: MOST_WAITING });
  stream.on('drop', onDrop);
  // pino flushes the stream when the process exits, and repeats a write that fails. On a full disk, that never ends.
  let fails = false;
  const flushSync = stream.flushSync.bind(stream);
  stream.flushSync = () => (fails ? undefined : flushSync());
  stream.on('write', () => (fails = false));
  stream.on('error', () => {
    fails = true;
    onDrop();
  });
  return stream;
}
