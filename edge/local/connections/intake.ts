import type { Socket } from 'node:net';

/**
 * The maximum number of bytes that are passed to Node's parser at once. The parser always parses its whole input, and
 * the shortest request has 25 bytes, so the 64 kB that Node reads at once could become 2,600 parsed requests, each with
 * several kilobytes of memory.
 */
const PIECE_BYTES = 1024;

/**
 * Passes an HTTP/1.1 connection's bytes to Node's parser only while there is room for further requests. Otherwise, the
 * socket is not read, and the client waits. Without this class, Node would parse everything that a client sends.
 */
export class Intake {
  readonly #parse: (bytes: Buffer) => void;
  /**
   * Whether Node has paused the socket, because the current response fills it, or a request's body has not been read
   * yet.
   */
  #isPaused = false;

  /** `socket` is the TLS socket, if any. Node must just have attached its parser. */
  constructor(
    readonly socket: Socket,
    readonly hasRoom: () => boolean,
  ) {
    const [parse] = socket.listeners('data');
    this.#parse = parse as (bytes: Buffer) => void;
    socket.removeListener('data', this.#parse);
    // With a 'readable' listener, Node reads only up to its buffer's high-water mark.
    socket.on('readable', () => this.feed());
    this.#heedPause();
  }

  /** Passes bytes to the parser while there is room. Call it again when there may be more room. */
  feed(): void {
    const { socket } = this;
    while (!socket.destroyed && !this.#isPaused && this.hasRoom()) {
      const piece = socket.read(Math.min(PIECE_BYTES, socket.readableLength)) as Buffer | null;
      if (piece === null) return;
      this.#parse.call(socket, piece);
    }
  }

  /**
   * Records when Node pauses and resumes the socket. If the parser got bytes while paused, Node would throw an error
   * that ends the process. `isPaused()` cannot be used, because a socket with a 'readable' listener is never flowing.
   */
  #heedPause(): void {
    const { socket } = this;
    const [pause, resume] = [socket.pause.bind(socket), socket.resume.bind(socket)];
    socket.pause = () => {
      this.#isPaused = true;
      return pause();
    };
    socket.resume = () => {
      this.#isPaused = false;
      return resume();
    };
    // Feed the parser on the event and not within resume(), because the parser itself calls resume().
    socket.on('resume', () => this.feed());
  }
}
