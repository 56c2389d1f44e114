import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds, seconds, secondsToMilliseconds } from '../../../src/units.ts';
import { FairTurns } from './fair-turns.ts';
import { Intake } from './intake.ts';
import { SharedSocket, type Share } from './shared-socket.ts';
import type { SocketOptions } from '../kernel/socket-options.ts';
import type { TcpInfo } from '../kernel/tcp-info.ts';

/** Long enough for any round trip with a few retransmissions; a client that answers no more is not waited for. */
const PATIENCE_MS = 10_000;
const LONGEST_BACKOFF_MS = 20;
const LONGEST_PAUSE_MS = 100;

/**
 * A pace is for a segment, which takes seconds. After this long a response goes on unpaced: asking for next
 * to nothing holds neither a connection nor what its response has open.
 */
export const LONGEST_PACED_MS = milliseconds(120_000);

/** Pipelined requests that wait for their turn: browsers pipeline none, and caches a handful. */
export const MAX_WAITING = 32;

/**
 * HTTP/2 requests under way on a connection: far more than its streams, so that most are of streams that the client has
 * reset and that are still being let go. Asking and resetting costs a client nothing (CVE-2023-44487).
 */
export const MAX_UNDER_WAY = 64;

/** For what is said last to a client that is sent away. */
const GOODBYE_MS = 1000;

/** A client's connection: its name, the order of what is served on it, the responses that share its socket, and what its TCP knows. */
export class Connection {
  readonly shared: SharedSocket;
  /** Of the responses that are under way at once, with HTTP/2. */
  readonly turns = new FairTurns();
  readonly #inFlight = new Set<AbortController>();
  #intake: Intake | null = null;
  #waiting = 0;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #lastTcpInfo: TcpInfo | null = null;

  constructor(
    /** TCP's own, below TLS. */
    readonly socket: Socket,
    readonly id: string,
    readonly kernel: SocketOptions | null,
    /** The congestion controls that a verdict may name: as root, another name would load a kernel module. */
    congestionControls: ReadonlySet<string>,
    longestPaced = LONGEST_PACED_MS,
  ) {
    let own: string | null = null;
    this.shared = new SharedSocket(
      {
        set: {
          pace: (pace) => kernel?.setPace(socket, pace) ?? false,
          congestionControl: (name) => {
            if (!kernel || (name !== null && !congestionControls.has(name))) return false;
            // No response has set another before.
            own ??= kernel.congestionControl(socket);
            return own !== null && kernel.setCongestionControl(socket, name ?? own) === null;
          },
        },
        acknowledged: () => this.tcpInfo()?.bytes_acked ?? null,
      },
      longestPaced,
    );
    // A client that says goodbye has acknowledged what it got; soon after, there is nothing left to ask.
    socket.prependOnceListener('end', () => this.tcpInfo());
    socket.once('close', () => {
      for (const request of this.#inFlight) request.abort();
    });
  }

  /**
   * Node hands over pipelined requests at once, while the first is still being answered; a pace set for the
   * second would hit the first. So each waits for its turn, until the client has all of what came before; one
   * that does not pipeline has it when it asks. `gone` tells that the client has vanished.
   */
  inTurn<Result>(serve: (gone: AbortSignal) => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const turn = this.#tracked(async (request) => {
      await this.#lastTurn;
      await this.delivered();
      this.#waiting -= 1;
      // Not from within the parser's call, should there be nothing to wait for.
      setImmediate(() => this.#intake?.feed());
      return serve(request.signal);
    });
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /** Pipelined requests that wait for their turn now. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * HTTP/1.1, on TCP's own socket or TLS's: from now on its requests are read as there is room for them, and a server
   * that is asked to close it does so when the client has what was sent. Closed before, it would be the kernel's, at
   * its last pace for however long that takes.
   */
  speaksHttp1(socket: Socket): void {
    this.#intake = new Intake(socket, () => this.#waiting < MAX_WAITING);
    const close = socket.destroySoon.bind(socket);
    socket.destroySoon = () => void this.delivered().then(close, close);
  }

  get isHttp1(): boolean {
    return this.#intake !== null;
  }

  /** HTTP/2: every request has a stream of its own, and a client gives up a stream without closing the connection. */
  atOnce<Result>(stream: ServerHttp2Stream, serve: (gone: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.#inFlight.size >= MAX_UNDER_WAY) this.#sendAway(stream);
    return this.#tracked((request) => {
      stream.once('aborted', () => request.abort());
      stream.once('close', () => {
        if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) request.abort();
      });
      if (stream.destroyed) request.abort();
      return serve(request.signal);
    });
  }

  #sendAway({ session }: ServerHttp2Stream): void {
    session?.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    // Node would wait for what was being written to be taken.
    setTimeout(() => this.end(), GOODBYE_MS).unref();
  }

  async #tracked<Result>(serve: (request: AbortController) => Promise<Result>): Promise<Result> {
    const request = new AbortController();
    this.#inFlight.add(request);
    if (this.socket.destroyed) request.abort();
    try {
      return await serve(request);
    } finally {
      this.#inFlight.delete(request);
    }
  }

  /** Waits until the client has a response that was written, or is gone; then its pace counts no more. */
  async settled(share: Share): Promise<boolean> {
    share.deliveredAt = this.socket.bytesWritten;
    const delivered = await this.delivered();
    this.shared.end(share);
    return delivered;
  }

  /** The present state, or the last one seen of a closed connection. */
  tcpInfo(): TcpInfo | null {
    this.#lastTcpInfo = this.kernel?.readTcpInfo(this.socket) ?? this.#lastTcpInfo;
    return this.#lastTcpInfo;
  }

  /**
   * Waits until the client's kernel has acknowledged all that was written, since Node's own events fire when
   * its data are in the send buffer, which at a slow pace is long before they are sent. False when the
   * connection ended before, or when nothing more was acknowledged for a while.
   */
  async delivered(): Promise<boolean> {
    const { socket } = this;
    const written = socket.bytesWritten;
    // Already closed, or on a platform that tells nothing: take no error for delivery.
    if (this.#closed() || !this.tcpInfo()) return socket.errored === null;

    let acknowledged = 0;
    let progress = performance.now();
    for (let backoff = 1; ; backoff = Math.min(backoff * 2, LONGEST_BACKOFF_MS)) {
      const now = this.tcpInfo();
      const left = written - (now?.bytes_acked ?? 0);
      if (!now || left <= 0) return true;
      if (now.bytes_acked > acknowledged) progress = performance.now();
      else if (this.#closed() || performance.now() - progress > PATIENCE_MS) return false;
      acknowledged = now.bytes_acked;
      // Not before the pace lets it be there, so that slow responses do not cost more questions than fast ones.
      const earliest = secondsToMilliseconds(seconds(left / (now.max_pacing_rate ?? Infinity)));
      await sleep(Math.min(Math.max(earliest, backoff), LONGEST_PAUSE_MS), undefined, { ref: false });
    }
  }

  /** Nothing is asked, and the client has all that was sent; where the platform tells nothing, all is handed to it. */
  get isIdle(): boolean {
    const acknowledged = this.tcpInfo()?.bytes_acked ?? this.socket.bytesWritten - this.socket.writableLength;
    return this.#inFlight.size === 0 && acknowledged >= this.socket.bytesWritten;
  }

  /** Closes it. What is under way is dropped, where a mere close would leave the kernel delivering it. */
  end(): void {
    const underWay = this.#inFlight.size > 0 || (this.tcpInfo()?.bytes_acked ?? 0) < this.socket.bytesWritten;
    if (underWay) this.socket.resetAndDestroy();
    else this.socket.destroy();
  }

  #closed(): boolean {
    return this.socket.destroyed;
  }
}
