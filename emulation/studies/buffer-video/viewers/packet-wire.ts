import { bytes, kbps, milliseconds } from '../../../../src/units.ts';
import type { Receipt } from '../../../../src/wire/receipt.ts';
import type {
  AccessLine,
  RoutedConnection,
  RoutedNetwork,
  Route,
} from '../../../../buffers/packets/routed-network.ts';
import type { Arrival, SegmentRequest, Fetch, Wire } from '../../../player/model/player/wire.ts';
import { REQUEST_MS } from '../../../player/model/player/simulated-wire.ts';

/** The size of an Ethernet frame. */
export const FRAME_BYTES = 1514;
/** The TCP payload in a frame. */
export const CONTENT_BYTES = 1448;
/** The server's part of the TLS handshake, on a session's first connection, in TCP segments. */
const TLS_SEGMENTS = 3;
/**
 * The server's responses before the first media segment, in TCP segments: TLS, manifest, and initialization segment.
 * Each takes a round trip.
 */
const START_SEGMENTS = [TLS_SEGMENTS, 5, 1];
const NOT_MODIFIED_SEGMENTS = 1;

export interface WireOptions {
  readonly network: RoutedNetwork;
  readonly route: Omit<Route, 'line'> & { readonly line: AccessLine };
  readonly congestionControl: string;
  /** When the session began. The wire's other times count from there. */
  readonly began_ms: number;
  /** Called when a response has ended. */
  readonly changed: () => void;
}

/** One HTTP/1.1 connection and its current response. */
interface Carrier {
  readonly name: string;
  readonly connection: RoutedConnection;
  /** The number of TCP segments that have been requested so far. */
  asked: number;
  isOpen: boolean;
  response: PacketResponse | undefined;
}

/** Sends requests over TCP connections of the packet model. */
export class PacketWire implements Wire {
  readonly #options: WireOptions;
  readonly #carriers: Carrier[] = [];

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** All connections of the session, including closed ones. */
  get connections(): readonly RoutedConnection[] {
    return this.#carriers.map(({ connection }) => connection);
  }

  /**
   * Fetches everything that precedes the first media segment, and passes the receipt of the last response to `then`.
   */
  start(then: (receipt: Receipt) => void): void {
    const next = (step: number, receipt: Receipt): void => {
      const segments = START_SEGMENTS[step];
      if (segments === undefined) then(receipt);
      else {
        const response = this.#request(segments, segments * CONTENT_BYTES, null);
        response.onEnd = () => {
          response.release();
          next(step + 1, response.receipt);
        };
      }
    };
    next(0, {});
  }

  /** Makes the round trip of TLS, which precedes all requests, and then calls `then`. */
  secure(then: () => void): void {
    const response = this.#request(TLS_SEGMENTS, TLS_SEGMENTS * CONTENT_BYTES, null);
    response.onEnd = () => {
      response.release();
      then();
    };
  }

  fetch({
    size_bytes,
    pace_kbps,
    cached,
  }: Pick<SegmentRequest, 'size_bytes' | 'pace_kbps' | 'cached'>): PacketResponse {
    const segments = cached ? NOT_MODIFIED_SEGMENTS : Math.ceil(size_bytes / CONTENT_BYTES);
    return this.#request(segments, size_bytes, pace_kbps);
  }

  close(): void {
    for (const { connection } of this.#carriers) connection.close();
  }

  #request(segments: number, size_bytes: number, pace_kbps: number | null): PacketResponse {
    const { network, began_ms, changed } = this.#options;
    const carrier = this.#carriers.findLast((each) => each.isOpen && !each.response) ?? this.#connect();
    const response = new PacketResponse({
      ...{ segments, size_bytes, from: carrier.asked },
      receipt: this.#makeReceipt(carrier, pace_kbps),
      now_ms: () => network.now_ms() - began_ms,
      ended: changed,
      release: () => {
        carrier.response = undefined;
      },
      hangUp: () => {
        carrier.isOpen = false;
        carrier.connection.close();
      },
    });
    carrier.response = response;
    carrier.asked += segments;
    const pace = pace_kbps === null ? Infinity : pace_kbps / 8 / FRAME_BYTES;
    const ask = () => carrier.connection.request(segments, pace, REQUEST_MS);
    if (carrier.connection.sender) ask();
    else this.#whenOpen.set(carrier, ask);
    return response;
  }

  readonly #whenOpen = new Map<Carrier, () => void>();

  #connect(): Carrier {
    const { network, route } = this.#options;
    const carrier: Carrier = {
      name: `routed-${this.#carriers.length + 1}`,
      connection: network.connect(route, () => this.#whenOpen.get(carrier)?.()),
      asked: 0,
      isOpen: true,
      response: undefined,
    };
    carrier.connection.onReceived = () => carrier.response?.segmentsArrived(carrier.connection.received);
    this.#carriers.push(carrier);
    return carrier;
  }

  /** Makes the edge's receipt at the start of a response. */
  #makeReceipt({ name, connection: { sender } }: Carrier, pace_kbps: number | null): Receipt {
    const pace = { pace_kbps: pace_kbps === null ? null : kbps(pace_kbps), connection: name };
    if (!sender) return pace;
    const { counts, srtt_ms, leastRtt_ms, window } = sender;
    return {
      ...pace,
      rtt_ms: milliseconds(srtt_ms),
      min_rtt_ms: milliseconds(leastRtt_ms),
      sent_bytes: bytes(counts.sent * CONTENT_BYTES),
      retransmitted_bytes: bytes(counts.retransmitted * CONTENT_BYTES),
      cwnd_packets: window,
      congestion_control: this.#options.congestionControl,
    };
  }
}

interface ResponseParts {
  readonly segments: number;
  readonly size_bytes: number;
  /** The number of the response's first TCP segment on the connection. */
  readonly from: number;
  readonly receipt: Receipt;
  readonly now_ms: () => number;
  readonly ended: () => void;
  readonly release: () => void;
  readonly hangUp: () => void;
}

/** A response in progress. */
export class PacketResponse implements Fetch, Arrival {
  readonly transfer: Arrival = this;
  readonly receipt: Receipt;
  readonly size_bytes: number;
  first_ms = NaN;
  ends_ms = Infinity;
  /** Called when the first byte has arrived. */
  onBegin: (() => void) | undefined;
  /** Called at the end of the response, instead of `ended`. */
  onEnd: (() => void) | undefined;
  readonly #parts: ResponseParts;
  #arrived = 0;
  #latest_ms = -Infinity;

  constructor(parts: ResponseParts) {
    this.#parts = parts;
    this.size_bytes = parts.size_bytes;
    this.receipt = parts.receipt;
  }

  /** Called when this number of the connection's TCP segments has arrived in order. */
  segmentsArrived(count: number): void {
    const { from, segments, now_ms, ended } = this.#parts;
    this.#latest_ms = now_ms();
    const begins = this.#arrived === 0;
    if (begins) this.first_ms = this.#latest_ms;
    this.#arrived = Math.min(segments, count - from);
    if (begins) this.onBegin?.();
    if (this.#arrived < segments || this.ends_ms < Infinity) return;
    this.ends_ms = this.#latest_ms;
    (this.onEnd ?? ended)();
  }

  arrivedBy(): number {
    return Math.min(this.size_bytes, this.#arrived * CONTENT_BYTES);
  }

  isSilentSince(time_ms: number): boolean {
    return this.#latest_ms < time_ms;
  }

  release(): void {
    this.#parts.release();
  }

  abort(): void {
    this.#parts.release();
    this.#parts.hangUp();
  }
}
