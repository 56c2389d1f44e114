import type { Writable } from 'node:stream';
import type { BodyReader, Chunk } from './body-reader.ts';
import type { ClientTimeout } from './client-patience.ts';
import { writableNow, type SendBuffer } from './paced-room.ts';
import { PIECE_BYTES } from './piece-bytes.ts';
import type { Progress } from './progress.ts';
import { Sleepers, type Sleeper } from './sleepers.ts';

const sleepers = new Sleepers();

/**
 * Sends a body that does not share its socket. Each piece is written when the socket has completely accepted the
 * previous piece. Rejects if the client is gone or too slow, or the body fails.
 */
export const sendAlone = (
  reader: BodyReader,
  response: Writable,
  buffer: SendBuffer,
  client: ClientTimeout,
  progress: Progress,
): Promise<void> =>
  new Promise((resolve, reject) => {
    new LoneSender(reader, response, buffer, client, progress, { resolve, reject }).next();
  });

/** Uses callbacks instead of promises, so that no object lives as long as a sleep (see Sleepers). */
class LoneSender implements Sleeper {
  #chunk: Chunk | null = null;
  /** The range of the current piece in the chunk. */
  #from = 0;
  #to = 0;
  #ended = false;

  constructor(
    readonly reader: BodyReader,
    readonly response: Writable,
    readonly buffer: SendBuffer,
    readonly client: ClientTimeout,
    readonly progress: Progress,
    readonly end: { resolve: () => void; reject: (error: Error) => void },
  ) {}

  next(): void {
    const { most, sleepSteps } = writableNow(this.buffer);
    if (sleepSteps > 0) {
      this.client.begin(this.#fail);
      sleepers.add(this, sleepSteps);
      return;
    }
    const cached = this.reader.readCached?.(most);
    if (cached) this.#send(cached);
    else this.reader.read(most).then(this.#send, this.#fail);
  }

  wake(): void {
    if (this.#ended) return;
    this.client.done();
    this.next();
  }

  readonly #send = (chunk: Chunk | null): void => {
    if (this.client.gone.aborted) this.#fail(new Error('the client is gone'));
    if (this.#ended) {
      chunk?.release();
    } else if (chunk === null) {
      this.#ended = true;
      this.end.resolve();
    } else {
      this.#chunk = chunk;
      this.#write(chunk, 0);
    }
  };

  /** Writes the next piece of a chunk, which may be longer than a piece. */
  #write({ bytes }: Chunk, from: number): void {
    this.#from = from;
    this.#to = Math.min(from + PIECE_BYTES, bytes.length);
    this.client.begin(this.#fail);
    this.progress.wrote(this.#to - from);
    this.response.write(bytes.subarray(from, this.#to), this.#written);
    // Release the memory now if possible, so that other sleepers can reuse the buffer. `#written` would be too late,
    // because Node calls it only after the other sleepers have read their pieces.
    if (this.buffer.flush() && this.#to === bytes.length) this.#release();
  }

  #release(): void {
    this.#chunk?.release();
    this.#chunk = null;
  }

  readonly #written = (error?: Error | null): void => {
    if (!error) this.progress.took(this.#to - this.#from);
    if (this.#ended) return;
    this.client.done();
    if (error) {
      this.#fail(error);
      return;
    }
    this.client.took(this.#to - this.#from);
    if (this.#chunk && this.#to < this.#chunk.bytes.length) {
      this.#write(this.#chunk, this.#to);
      return;
    }
    this.#release();
    this.next();
  };

  readonly #fail = (error: Error): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.end.reject(error);
  };
}
