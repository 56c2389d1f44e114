import type { Socket } from 'node:net';

/**
 * The most bytes that Node's parser is given at once, since it parses all of them. The shortest request has 25 bytes, so
 * the 64 kB that Node reads at once could become 2,600 parsed requests, each of which takes some kilobytes of memory.
 */
const PIECE_BYTES = 1024;

/**
 * Gives an HTTP/1.1 connection's bytes to Node's parser only while there is room for further requests; otherwise the
 * socket is not read, and the client waits. Node by itself parses everything that a client sends.
 */
export class Intake {
  readonly #parse: (bytes: Buffer) => void;
  /** Whether Node wants no more bytes: the answer under way fills the socket, or a request's body is not read yet. */
  #isPaused = false;

  /** `socket` is the TLS socket if there is one. Node must just have attached its parser to it. */
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

  /** Gives the parser what there is room for. To be called again when there may be more room. */
  feed(): void {
    const { socket } = this;
    while (!socket.destroyed && !this.#isPaused && this.hasRoom()) {
      const piece = socket.read(Math.min(PIECE_BYTES, socket.readableLength)) as Buffer | null;
      if (piece === null) return;
      this.#parse.call(socket, piece);
    }
  }

  /**
   * Notes when Node pauses and resumes the socket. If the parser gets bytes while it is paused, Node throws an error that
   * ends the process. `isPaused()` does not tell, since a socket with a listener to 'readable' is never flowing.
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
