import type { Socket } from 'node:net';

/**
 * What Node's parser is handed at once. It parses all that it is handed, and the shortest request has 25 bytes, so
 * 64 kB, which Node reads at once, would be 2,600 requests of some kilobytes each.
 */
const PIECE_BYTES = 1024;

/**
 * Hands an HTTP/1.1 connection's bytes to Node's parser, which takes as many requests and as much of a body as a
 * client sends, only while there is room for what they hold. Otherwise the socket is not read, and the client waits.
 */
export class Intake {
  readonly #parse: (bytes: Buffer) => void;
  /** Node wants no more: the answer under way fills the socket, or the body of a request waits to be read. */
  #isPaused = false;

  /** `socket` is TLS's where there is one; Node has connected its parser to it just now. */
  constructor(
    readonly socket: Socket,
    readonly hasRoom: () => boolean,
  ) {
    const [parse] = socket.listeners('data');
    this.#parse = parse as (bytes: Buffer) => void;
    socket.removeListener('data', this.#parse);
    // While there is a listener to this, Node reads no more than its buffer's high-water mark ahead.
    socket.on('readable', () => this.feed());
    this.#heedPause();
  }

  /** To be called again when there may be room. */
  feed(): void {
    const { socket } = this;
    while (!socket.destroyed && !this.#isPaused && this.hasRoom()) {
      const piece = socket.read(Math.min(PIECE_BYTES, socket.readableLength)) as Buffer | null;
      if (piece === null) return;
      this.#parse.call(socket, piece);
    }
  }

  /**
   * Node pauses the socket when it is to be handed no more, and throws an error that ends the process if it is handed
   * more even so. `isPaused()` does not tell, since a socket with a listener to 'readable' is never flowing.
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
    // Not within resume(), which is called from within the parser too.
    socket.on('resume', () => this.feed());
  }
}
