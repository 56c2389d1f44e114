import type { IncomingMessage } from 'node:http';
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
  #newest: IncomingMessage | null = null;

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
    // Whoever reads a request's body tells the socket so.
    socket.on('resume', () => this.feed());
  }

  /** The request whose body, if it has one, comes next. */
  noteRequest(message: IncomingMessage): void {
    this.#newest = message;
  }

  /** To be called again when there may be room. */
  feed(): void {
    const { socket } = this;
    while (!socket.destroyed && this.hasRoom() && !this.#bodyWaits()) {
      const piece = socket.read(Math.min(PIECE_BYTES, socket.readableLength)) as Buffer | null;
      if (piece === null) return;
      this.#parse.call(socket, piece);
    }
  }

  #bodyWaits(): boolean {
    const body = this.#newest;
    return (
      body !== null && !body.complete && !body.destroyed && body.readableLength >= body.readableHighWaterMark
    );
  }
}
