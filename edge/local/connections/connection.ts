import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytes, milliseconds, seconds, secondsToMilliseconds, type Bytes } from '../../../src/units.ts';
import { FairTurns } from './fair-turns.ts';
import { TurnQueue } from './few-a-turn.ts';
import { Intake } from './intake.ts';
import type { SendBuffer } from '../sending/paced-room.ts';
import { SharedSocket, type Share } from './shared-socket.ts';
import type { SocketOptions } from '../kernel/socket-options.ts';
import type { TcpInfo } from '../kernel/tcp-info.ts';

/**
 * A client that acknowledges nothing for this long counts as gone. Round trips, even with some retransmissions, are
 * shorter.
 */
const PATIENCE_MS = 10_000;
const LONGEST_BACKOFF_MS = 20;
const LONGEST_PAUSE_MS = 100;

/**
 * The default maximum duration of a pace. A paced segment takes seconds. A response that takes longer than this
 * continues unpaced, so that a request for a very low pace cannot keep a connection and files open for long.
 */
export const LONGEST_PACED_MS = milliseconds(120_000);

/**
 * The maximum number of waiting pipelined requests. Browsers do not pipeline, and caches pipeline only a few requests.
 */
export const MAX_WAITING = 32;

/**
 * The maximum number of HTTP/2 requests in progress on a connection. It is far above the limit of open streams, so it
 * is exceeded only if a client resets many streams whose handlers still run: the attack of CVE-2023-44487.
 */
export const MAX_UNDER_WAY = 64;

/** Error codes of RFC 9113 §7. Not imported from Node's HTTP/2 module, which is loaded only on demand. */
const NO_ERROR = 0x00;
const ENHANCE_YOUR_CALM = 0x0b;

/** The interval of the checks whether GOAWAY has been written. */
const GOAWAY_STEP_MS = 5;

/** The time for the last frames to reach a client before its connection is closed. */
const GOODBYE_MS = 1000;

/**
 * Lets one HTTP/2 request begin per turn of the event loop. Each request takes up to a millisecond, which delays all
 * responses in flight, and a hundred connections may send sixteen requests each at the same time.
 */
const beginning = new TurnQueue<Connection>(1);

/**
 * Lets two requests of disconnected clients end per turn of the event loop. There may be thousands at once, and closing
 * files takes time.
 */
const leaving = new TurnQueue<Connection>(2);

/** A client's connection. It orders the responses, shares the socket among them, and reads the TCP statistics. */
export class Connection {
  readonly shared: SharedSocket;
  /** Shares the socket among concurrent HTTP/2 responses. */
  readonly turns = new FairTurns();
  /** The send buffer of an HTTP/1.1 connection. */
  readonly sendBuffer: SendBuffer = {
    pace: () => this.shared.applied.pace,
    memory: () => this.kernel?.sendBuffer(this.socket) ?? null,
    flush: () => {
      this.#http1?.uncork();
      return this.#http1?.writableLength === 0;
    },
  };
  readonly #inFlight = new Set<AbortController>();
  /** The TCP or TLS socket of an HTTP/1.1 connection. */
  #http1: Socket | null = null;
  #intake: Intake | null = null;
  #waiting = 0;
  /** The number of HTTP/2 requests that have not begun. */
  #toBegin = 0;
  #isSentAway = false;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #lastTcpInfo: TcpInfo | null = null;
  #requests = 0;
  /** The values of the counters at the last call of `takeSent`. */
  #lastTaken = { sent_bytes: 0, retransmitted_bytes: 0 };

  constructor(
    /** The TCP socket, below TLS. */
    readonly socket: Socket,
    readonly id: string,
    readonly kernel: SocketOptions | null,
    /**
     * The congestion controls that may be set. Other names are rejected, because with root they could load a kernel
     * module.
     */
    congestionControls: ReadonlySet<string>,
    longestPaced = LONGEST_PACED_MS,
  ) {
    let own: string | null = null;
    // A closed socket sends nothing, so each setting succeeds. Otherwise, the response to a client that has disconnected
    // would count as a failure of the kernel.
    const change = (set: (options: SocketOptions) => boolean): boolean =>
      kernel !== null && (socket.destroyed || set(kernel));
    this.shared = new SharedSocket(
      {
        set: {
          pace: (pace) => change((options) => options.setPace(socket, pace)),
          floor: (floor) => change((options) => options.setMark(socket, floor ?? 0)),
          congestionControl: (name) =>
            (name === null || congestionControls.has(name)) &&
            change((options) => {
              // Read the socket's initial congestion control before the first change.
              own ??= options.congestionControl(socket);
              return own !== null && options.setCongestionControl(socket, name ?? own) === null;
            }),
        },
        acknowledged: () => this.tcpInfo()?.bytes_acked ?? null,
      },
      longestPaced,
    );
    // Read the statistics before the socket is closed, because a closed socket has none.
    const destroy = socket.destroy.bind(socket);
    socket.destroy = (error) => {
      this.tcpInfo();
      return destroy(error);
    };
    socket.once('close', () => {
      for (const request of this.#inFlight) this.#abort(request);
    });
  }

  /**
   * Runs `serve` for an HTTP/1.1 request when the client has received all earlier responses. Without pipelining, there
   * is no wait. Needed because Node passes on pipelined requests while the first is still being answered, and the pace
   * of the second response would apply to the first. `gone` is aborted when the client has disconnected.
   */
  inTurn<Result>(serve: (gone: AbortSignal) => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const turn = this.#tracked(async (request) => {
      await this.#lastTurn;
      await this.delivered();
      this.#waiting -= 1;
      // Deferred, because this code may be called by the parser, which is not reentrant.
      setImmediate(() => this.#intake?.feed());
      return serve(request.signal);
    });
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /** The number of pipelined requests that wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Call it when the connection uses HTTP/1.1, with the TCP or TLS socket. From then on, a request is read only while
   * fewer than the allowed number wait. When Node closes the connection, the socket stays open until the client has
   * received everything; otherwise, the kernel would continue to send at the last pace, without a time limit.
   */
  speaksHttp1(socket: Socket): void {
    this.#http1 = socket;
    this.#intake = new Intake(socket, () => this.#waiting < MAX_WAITING);
    const close = socket.destroySoon.bind(socket);
    socket.destroySoon = () => void this.delivered().then(close, close);
  }

  get isHttp1(): boolean {
    return this.#http1 !== null;
  }

  /** Calls `begin` when it is the turn of an HTTP/2 request, unless the client resets the stream earlier. */
  whenItsTurn(stream: ServerHttp2Stream, begin: () => void): void {
    // Ignore errors until the request begins, when Node adds its own listener.
    stream.on('error', () => undefined);
    const { session } = stream;
    if (this.#isSentAway || session === undefined) return;
    if (this.#toBegin + this.#inFlight.size >= MAX_UNDER_WAY) {
      this.#sendAway(session as ServerHttp2Session);
      return;
    }
    this.#toBegin += 1;
    void beginning.next(this).then(() => {
      this.#toBegin -= 1;
      if (!stream.destroyed) begin();
    });
  }

  /** Serves an HTTP/2 request, whose stream the client may reset without closing the connection. */
  atOnce<Result>(stream: ServerHttp2Stream, serve: (gone: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.#tracked((request) => {
      stream.once('close', () => {
        if (stream.aborted || stream.rstCode !== NO_ERROR) this.#abort(request);
      });
      if (stream.destroyed) request.abort();
      return serve(request.signal);
    });
  }

  /** Sends GOAWAY, and closes the connection when the frame has been written. */
  #sendAway(session: ServerHttp2Session): void {
    this.#isSentAway = true;
    session.goaway(ENHANCE_YOUR_CALM);
    // Wait, because destroy() would discard a GOAWAY that is queued behind another write (Node 20).
    const leave = setInterval(() => {
      if (session.destroyed) clearInterval(leave);
      else if (session.state.outboundQueueSize === 0) session.destroy(undefined, ENHANCE_YOUR_CALM);
    }, GOAWAY_STEP_MS).unref();
    // End the connection after a second, because Node would wait until the client has received the current write.
    setTimeout(() => this.end(), GOODBYE_MS).unref();
  }

  #abort(request: AbortController): void {
    void leaving.next(this).then(() => request.abort());
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

  /**
   * Waits until the client has received a response that ends at byte `endsAt` of the socket, or is gone. Then removes
   * the response's pace.
   */
  async settled(share: Share, endsAt?: number): Promise<boolean> {
    share.deliveredAt = this.socket.bytesWritten;
    const delivered = await this.delivered(endsAt);
    this.shared.end(share);
    return delivered;
  }

  /** Returns an id for the next request of this connection. */
  nextRequest(): string {
    this.#requests += 1;
    return `${this.id}-${this.#requests}`;
  }

  /** Returns the bytes that TCP has sent and retransmitted since the last call, so that every byte is reported once. */
  takeSent(): { readonly sent_bytes: Bytes; readonly retransmitted_bytes: Bytes } {
    const { bytes_sent = 0, bytes_retrans = 0 } = this.tcpInfo() ?? {};
    const before = this.#lastTaken;
    this.#lastTaken = { sent_bytes: bytes_sent, retransmitted_bytes: bytes_retrans };
    return {
      sent_bytes: bytes(bytes_sent - before.sent_bytes),
      retransmitted_bytes: bytes(bytes_retrans - before.retransmitted_bytes),
    };
  }

  /** Returns the present TCP statistics or, for a closed connection, the last known statistics. */
  tcpInfo(): TcpInfo | null {
    this.#lastTcpInfo = this.kernel?.readTcpInfo(this.socket) ?? this.#lastTcpInfo;
    return this.#lastTcpInfo;
  }

  /**
   * Waits until the client's kernel has acknowledged all written bytes. Node's events are too early: they fire when
   * data enters the send buffer, which at a slow pace is long before it is sent. Returns false if the connection ends
   * earlier, or if nothing is acknowledged for PATIENCE_MS.
   */
  async delivered(written = this.socket.bytesWritten): Promise<boolean> {
    const { socket } = this;
    // Without TCP statistics, assume delivery if the socket has no error.
    if (!this.tcpInfo()) return socket.errored === null;

    let acknowledged = 0;
    let progress = performance.now();
    for (let backoff = 1; ; backoff = Math.min(backoff * 2, LONGEST_BACKOFF_MS)) {
      const now = this.tcpInfo();
      const left = written - (now?.bytes_acked ?? 0);
      if (!now || left <= 0) return true;
      if (now.bytes_acked > acknowledged) progress = performance.now();
      else if (this.#closed() || performance.now() - progress > PATIENCE_MS) return false;
      acknowledged = now.bytes_acked;
      // Check again at the earliest time at which the pace allows full delivery, so that slow responses do not need
      // more checks.
      const earliest = secondsToMilliseconds(seconds(left / (now.max_pacing_rate ?? Infinity)));
      await sleep(Math.min(Math.max(earliest, backoff), LONGEST_PAUSE_MS), undefined, { ref: false });
    }
  }

  /**
   * Whether no request is in flight and the client has received everything. Without TCP statistics, data that the
   * kernel has accepted counts as received.
   */
  get isIdle(): boolean {
    const acknowledged = this.tcpInfo()?.bytes_acked ?? this.socket.bytesWritten - this.socket.writableLength;
    return this.#inFlight.size === 0 && acknowledged >= this.socket.bytesWritten;
  }

  /** Closes the connection and discards pending data, which the kernel would deliver after a normal close. */
  end(): void {
    const underWay = this.#inFlight.size > 0 || (this.tcpInfo()?.bytes_acked ?? 0) < this.socket.bytesWritten;
    // Do not use resetAndDestroy(): if end() is in progress on the socket, as when a client has just disconnected,
    // libuv refuses the reset, and Node never closes the descriptor (Node 20). If the kernel's socket options are
    // unavailable, nothing is paced, so a normal close delivers pending data soon.
    if (underWay) this.kernel?.setResetOnClose(this.socket);
    this.socket.destroy();
  }

  #closed(): boolean {
    return this.socket.destroyed;
  }
}
