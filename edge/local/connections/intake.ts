import type { Socket } from 'node:net';

/**
 * The maximum number of bytes per call of Node's parser, which parses all of its input. The shortest request has 25 bytes, so
 * the 64 kB that Node reads at once could become 2,600 parsed requests of several kilobytes each.
 */
const PIECE_BYTES = 1024;

/**
 * Passes an HTTP/1.1 connection's bytes to Node's parser only while there is room for further requests; otherwise the socket
 * is not read, and the client waits. Node alone parses everything that a client sends.
 */
export class Intake {
  readonly #parse: (bytes: Buffer) => void;
  /** Whether Node wants no more bytes: the current response fills the socket, or a request's body has not been read yet. */
  #isPaused = false;

  /** `socket` is the TLS socket, if any. Node must just have attached its parser. */
  constructor(
    readonly socket: Socket,
    readonly hasRoom: () => boolean,
  ) {
    const [parse] = socket.listeners('data');
    this.#parse = parse as (bytes: Buffer) => void;
    socket.removeListener('data', this.#parse);
    // With a listener to 'readable', Node reads ahead only up to its buffer's high-water mark.
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
   * Records when Node pauses and resumes the socket. If the parser gets bytes while paused, Node throws an error that ends
   * the process. `isPaused()` does not help, because a socket with a 'readable' listener is never flowing.
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
    // On the event, not within resume(), since the parser itself calls resume().
    socket.on('resume', () => this.feed());
  }
}
