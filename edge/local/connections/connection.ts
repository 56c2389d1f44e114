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

/** A client that acknowledges nothing for this long counts as gone: any round trip with some retransmissions is shorter. */
const PATIENCE_MS = 10_000;
const LONGEST_BACKOFF_MS = 20;
const LONGEST_PAUSE_MS = 100;

/**
 * A paced segment takes seconds. A response that takes longer than this goes on unpaced, so that a request for a very
 * low pace cannot keep a connection and its response's files open for long.
 */
export const LONGEST_PACED_MS = milliseconds(120_000);

/** The most pipelined requests that wait for their turn: browsers pipeline none, and caches a handful. */
export const MAX_WAITING = 32;

/**
 * The most HTTP/2 requests under way on a connection. It is far above the number of open streams, so beyond it most
 * belong to streams that the client has reset and whose handlers still run: the attack of CVE-2023-44487.
 */
export const MAX_UNDER_WAY = 64;

/** Error codes of RFC 9113 §7. Node's HTTP/2 module defines them too, but is loaded only on demand. */
const NO_ERROR = 0x00;
const ENHANCE_YOUR_CALM = 0x0b;

/** The interval of checks whether GOAWAY has been written. */
const GOAWAY_STEP_MS = 5;

/** The time for the last frames to reach a client before its connection is closed. */
const GOODBYE_MS = 1000;

/**
 * The number of HTTP/2 requests that begin per turn of the event loop. Each takes up to a millisecond, which delays all
 * responses in flight, and a hundred connections may send sixteen each at the same moment.
 */
const beginning = new TurnQueue<Connection>(1);

/** Requests whose clients have disconnected. There may be thousands at once, and closing files takes time. */
const leaving = new TurnQueue<Connection>(2);

/** A client's connection: its id, the order of its responses, their shares of the socket, and its TCP statistics. */
export class Connection {
  readonly shared: SharedSocket;
  /** The turns of responses that are under way at the same time, with HTTP/2. */
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
  /** The HTTP/2 requests that have not begun. */
  #toBegin = 0;
  #isSentAway = false;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #lastTcpInfo: TcpInfo | null = null;
  #requests = 0;
  /** The counters that `takeSent` has already reported. */
  #told = { sent_bytes: 0, retransmitted_bytes: 0 };

  constructor(
    /** The TCP socket, below TLS. */
    readonly socket: Socket,
    readonly id: string,
    readonly kernel: SocketOptions | null,
    /** The congestion controls that may be set. For a process of root, any other name would load a kernel module. */
    congestionControls: ReadonlySet<string>,
    longestPaced = LONGEST_PACED_MS,
  ) {
    let own: string | null = null;
    this.shared = new SharedSocket(
      {
        set: {
          pace: (pace) => kernel?.setPace(socket, pace) ?? false,
          floor: (floor) => kernel?.setMark(socket, floor ?? 0) ?? false,
          congestionControl: (name) => {
            if (!kernel || (name !== null && !congestionControls.has(name))) return false;
            // Read before the first change, so this is the socket's initial congestion control.
            own ??= kernel.congestionControl(socket);
            return own !== null && kernel.setCongestionControl(socket, name ?? own) === null;
          },
        },
        acknowledged: () => this.tcpInfo()?.bytes_acked ?? null,
      },
      longestPaced,
    );
    // Read the statistics now: a client that ends or resets the connection has acknowledged everything, and a closed socket has none.
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
   * Node passes on pipelined requests at once, while the first is still being answered, and a pace for the second would apply
   * to the first. So each waits until the client has received all earlier responses; without pipelining, there is no wait.
   * `gone` is aborted when the client has disconnected.
   */
  inTurn<Result>(serve: (gone: AbortSignal) => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const turn = this.#tracked(async (request) => {
      await this.#lastTurn;
      await this.delivered();
      this.#waiting -= 1;
      // Deferred, because this may run inside a call of the parser, which is not reentrant.
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
   * The connection speaks HTTP/1.1, on this TCP or TLS socket. From now on its requests are read only while there is room
   * for them, and when Node closes it, the socket stays open until the client has all that was sent. If it were closed
   * before, the kernel would go on sending at the last pace, for however long that takes.
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

  /** Calls `begin` for an HTTP/2 request when it is its turn, unless the client resets its stream earlier. */
  whenItsTurn(stream: ServerHttp2Stream, begin: () => void): void {
    // Node adds its own listener when the request begins.
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

  /** Serves an HTTP/2 request. Each has a stream of its own, which a client may reset without closing the connection. */
  atOnce<Result>(stream: ServerHttp2Stream, serve: (gone: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.#tracked((request) => {
      stream.once('close', () => {
        if (stream.aborted || stream.rstCode !== NO_ERROR) this.#abort(request);
      });
      if (stream.destroyed) request.abort();
      return serve(request.signal);
    });
  }

  /** Tells the client to go (GOAWAY), and closes the connection once that is on its way. */
  #sendAway(session: ServerHttp2Session): void {
    this.#isSentAway = true;
    session.goaway(ENHANCE_YOUR_CALM);
    // destroy() would drop a GOAWAY that is queued behind another write (Node 20).
    const leave = setInterval(() => {
      if (session.destroyed) clearInterval(leave);
      else if (session.state.outboundQueueSize === 0) session.destroy(undefined, ENHANCE_YOUR_CALM);
    }, GOAWAY_STEP_MS).unref();
    // Node itself would wait until the client has received the current write.
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
   * Waits until the client has received a written response, which ends at byte `endsAt` of the socket, or is gone; then
   * removes the response's pace.
   */
  async settled(share: Share, endsAt?: number): Promise<boolean> {
    share.deliveredAt = this.socket.bytesWritten;
    const delivered = await this.delivered(endsAt);
    this.shared.end(share);
    return delivered;
  }

  /** An id for the next request of this connection. */
  nextRequest(): string {
    this.#requests += 1;
    return `${this.id}-${this.#requests}`;
  }

  /** TCP's sent and retransmitted bytes since the last call, so that every byte is reported once. */
  takeSent(): { readonly sent_bytes: Bytes; readonly retransmitted_bytes: Bytes } {
    const { bytes_sent = 0, bytes_retrans = 0 } = this.tcpInfo() ?? {};
    const before = this.#told;
    this.#told = { sent_bytes: bytes_sent, retransmitted_bytes: bytes_retrans };
    return {
      sent_bytes: bytes(bytes_sent - before.sent_bytes),
      retransmitted_bytes: bytes(bytes_retrans - before.retransmitted_bytes),
    };
  }

  /** The present TCP statistics, or the last known ones of a closed connection. */
  tcpInfo(): TcpInfo | null {
    this.#lastTcpInfo = this.kernel?.readTcpInfo(this.socket) ?? this.#lastTcpInfo;
    return this.#lastTcpInfo;
  }

  /**
   * Waits until the client's kernel has acknowledged all written bytes. Node's own events fire when data enter the send
   * buffer, which at a slow pace is long before they are sent. False if the connection ended earlier, or if nothing more was
   * acknowledged for a while.
   */
  async delivered(written = this.socket.bytesWritten): Promise<boolean> {
    const { socket } = this;
    // On a platform without TCP statistics: a socket without an error counts as delivered.
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
      // The next check comes no sooner than the pace allows delivery, so that slow responses do not need more checks.
      const earliest = secondsToMilliseconds(seconds(left / (now.max_pacing_rate ?? Infinity)));
      await sleep(Math.min(Math.max(earliest, backoff), LONGEST_PAUSE_MS), undefined, { ref: false });
    }
  }

  /**
   * Whether no request is in flight and the client has received everything; without TCP statistics, whether the kernel has
   * accepted all data.
   */
  get isIdle(): boolean {
    const acknowledged = this.tcpInfo()?.bytes_acked ?? this.socket.bytesWritten - this.socket.writableLength;
    return this.#inFlight.size === 0 && acknowledged >= this.socket.bytesWritten;
  }

  /** Closes the connection and drops pending data, which the kernel would still deliver after a plain close. */
  end(): void {
    const underWay = this.#inFlight.size > 0 || (this.tcpInfo()?.bytes_acked ?? 0) < this.socket.bytesWritten;
    // Not resetAndDestroy(): while end() is in progress on the socket, as after a client has just disconnected, libuv refuses to
    // reset it, and Node then never closes its descriptor (Node 20). Without the kernel's options nothing is paced, so
    // pending data are delivered soon.
    if (underWay) this.kernel?.setResetOnClose(this.socket);
    this.socket.destroy();
  }

  #closed(): boolean {
    return this.socket.destroyed;
  }
}
