import type { PageClock } from '../clocks/page-clock.ts';
import type { ResourceEntry } from './resource-timing.ts';
import type { WireRequest, Head, Listener, Wire } from './wire.ts';

/** The size that Resource Timing assumes for a response's headers (§4.3, `transferSize`). */
const HEADER_BYTES = 300;

/**
 * A wire that records its requests in Resource Timing. Times are taken at the network, so a busy page does not distort
 * them.
 */
export class TimedWire implements Wire {
  readonly #wire: Wire;
  readonly #clock: PageClock;
  readonly #note: (entry: ResourceEntry) => void;

  constructor(wire: Wire, clock: PageClock, note: (entry: ResourceEntry) => void) {
    this.#wire = wire;
    this.#clock = clock;
    this.#note = note;
  }

  ask(asked: WireRequest, listener: Listener): () => void {
    const clock = this.#clock;
    const startTime = clock.now_ms;
    let [responseStart, begun] = [0, undefined as Head | undefined];
    return this.#wire.ask(asked, {
      began: (head, body) => {
        [responseStart, begun] = [clock.now_ms, head];
        listener.began(head, body);
      },
      arrived: (bytes) => listener.arrived(bytes),
      ended: (bytes) => {
        const responseEnd = clock.now_ms;
        this.#note({
          name: asked.url,
          entryType: 'resource',
          initiatorType: asked.initiator,
          ...{ startTime, responseStart, responseEnd },
          fetchStart: startTime,
          requestStart: begun?.sent_ms ?? startTime,
          duration: responseEnd - startTime,
          workerStart: 0,
          transferSize: HEADER_BYTES + (begun?.transfer_bytes ?? bytes),
          ...{ encodedBodySize: bytes, decodedBodySize: bytes },
          nextHopProtocol: 'http/1.1',
          deliveryType: '',
          responseStatus: begun?.status ?? 0,
        });
        listener.ended(bytes);
      },
      failed: () => listener.failed(),
    });
  }
}
