import { Agenda } from '../../emulation/ground/clock/agenda.ts';
import type { VirtualControl } from './controls/control-named.ts';
import type { KernelRules } from './kernel-rules.ts';
import { LinuxSender } from './sender/linux-sender.ts';
import type { SenderWorld } from './sender/sender-world.ts';
import { RoundRobinRouter, type RouterPort } from './round-robin-router.ts';
import { VirtualReceiver } from './virtual-receiver.ts';

const DELAYED_ACK_MS = 40;
/** Timeout of an unanswered handshake (RFC 6298); it doubles after each attempt. */
const HANDSHAKE_AGAIN_MS = 1000;

/**
 * A viewer's access line, which all connections of the viewer share. Its queue has no limit of its own: the
 * connections' receive windows limit it.
 */
export interface AccessLine {
  /** The transmission time of a packet. */
  readonly packet_ms: number;
  /** Time at which the line will have transmitted all packets so far. */
  free_ms: number;
}

/** A connection from a client to a server behind the router. */
export interface Route {
  /** The index of the router's queue. */
  readonly queue: number;
  /** The round trip without queueing. */
  readonly rtt_ms: number;
  readonly line: AccessLine;
  readonly receive_window: number;
}

export interface NetworkOptions {
  readonly port: RouterPort;
  readonly congestion_control: VirtualControl;
  /** Whether TCP paces its packets, so that no burst fills a large part of a small buffer. */
  readonly paced: boolean;
  readonly kernel: KernelRules;
  readonly random: () => number;
}

interface RoutedPacket {
  readonly connection: RoutedConnection;
  /** The segment's number; null for the answer to a handshake. */
  readonly number: number | null;
}

/** A network in virtual time: servers behind one router, and their connections to clients. */
export class RoutedNetwork implements Pick<SenderWorld, 'at' | 'now_ms' | 'random'> {
  readonly router: RoundRobinRouter<RoutedPacket>;
  readonly options: NetworkOptions;
  readonly #agenda = new Agenda<() => void>();
  #now_ms = 0;

  constructor(options: NetworkOptions) {
    this.options = options;
    this.router = new RoundRobinRouter(options.port, this, ({ connection, number }) =>
      connection.left(number),
    );
  }

  readonly now_ms = (): number => this.#now_ms;

  readonly random = (): number => this.options.random();

  readonly at = (time_ms: number, act: () => void): void =>
    this.#agenda.add(Math.max(time_ms, this.#now_ms), act);

  /** Runs all events that are due by `end_ms`. */
  runTo(end_ms: number): void {
    while (this.#agenda.next_ms <= end_ms) {
      this.#now_ms = this.#agenda.next_ms;
      this.#agenda.take()();
    }
    this.#now_ms = end_ms;
  }

  /** Opens a connection; `opened` is called at the client when the server has answered. */
  connect(route: Route, opened: () => void): RoutedConnection {
    return new RoutedConnection(this, route, opened);
  }
}

/** A TCP connection from a server's kernel through the router to a client, which receives the data in order. */
export class RoutedConnection {
  /** Called at the client when more data has arrived in order. */
  onReceived: () => void = () => undefined;
  readonly #network: RoutedNetwork;
  readonly #route: Route;
  readonly #opened: () => void;
  readonly #receiver = new VirtualReceiver(1);
  #sender: LinuxSender | undefined;
  #ackWaits = false;
  #closed = false;
  #answered_ms = NaN;

  constructor(network: RoutedNetwork, route: Route, opened: () => void) {
    this.#network = network;
    this.#route = route;
    this.#opened = opened;
    this.#answerAfter(route.rtt_ms / 2, HANDSHAKE_AGAIN_MS);
  }

  /** The server's side of the connection; undefined until the handshake has ended. */
  get sender(): LinuxSender | undefined {
    return this.#sender;
  }

  /** Number of segments that have arrived in order. */
  get received(): number {
    return this.#receiver.next;
  }

  /**
   * Sends the client's request for this many segments, with a maximum pace in packets per ms. The server takes
   * `thinks_ms` to respond.
   */
  request(segments: number, pace: number, thinks_ms: number): void {
    this.#later(this.#route.rtt_ms / 2 + thinks_ms, () => this.#sender?.give(segments, pace));
  }

  /** Closes the connection at the client. The server learns of it half a round trip later. */
  close(): void {
    this.onReceived = () => undefined;
    this.#later(this.#route.rtt_ms / 2, () => {
      this.#closed = true;
      this.#sender?.close();
    });
  }

  /** Called when a packet has left the router. */
  left(number: number | null): void {
    const { line, rtt_ms } = this.#route;
    line.free_ms = Math.max(this.#network.now_ms() + rtt_ms / 2, line.free_ms) + line.packet_ms;
    this.#network.at(line.free_ms, () => (number === null ? this.#open() : this.#arrive(number)));
  }

  #later(after_ms: number, act: () => void): void {
    this.#network.at(this.#network.now_ms() + after_ms, act);
  }

  #answerAfter(after_ms: number, again_ms: number): void {
    this.#later(after_ms, () => {
      if (this.#closed) return;
      this.#answered_ms = this.#network.now_ms();
      if (!this.#network.router.push(this.#route.queue, { connection: this, number: null }))
        this.#answerAfter(again_ms, 2 * again_ms);
    });
  }

  #open(): void {
    // The client closed the connection before the answer arrived.
    if (this.#closed) return;
    const { receive_window, rtt_ms } = this.#route;
    const { congestion_control, paced, kernel } = this.#network.options;
    this.#sender = new LinuxSender(
      {
        now_ms: this.#network.now_ms,
        at: this.#network.at,
        random: this.#network.random,
        transmit: (numbers) => {
          for (const number of numbers)
            this.#network.router.push(this.#route.queue, { connection: this, number });
        },
      },
      {
        ...{ congestion_control, paced, kernel, receive_window },
        ...{ burst_packets: 1, responds: true },
        handshake_ms: this.#network.now_ms() - this.#answered_ms + rtt_ms / 2,
      },
    );
    this.#opened();
  }

  #arrive(number: number): void {
    const before = this.#receiver.next;
    for (const ack of this.#receiver.take([number])) this.#acknowledge(ack);
    if (this.#receiver.delayed && !this.#ackWaits) {
      this.#ackWaits = true;
      this.#later(DELAYED_ACK_MS, () => {
        this.#ackWaits = false;
        const ack = this.#receiver.late();
        if (ack) this.#acknowledge(ack);
      });
    }
    if (this.#receiver.next > before) this.onReceived();
  }

  #acknowledge({ upTo, beyond }: { readonly upTo: number; readonly beyond: readonly number[] }): void {
    this.#later(this.#route.rtt_ms / 2, () => this.#sender?.acknowledge(upTo, beyond));
  }
}
