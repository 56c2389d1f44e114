import type { FilmEdge } from '../../../player/page/in-process/film-edge.ts';
import { HEADER_BYTES, ReportedResponse } from '../../../player/page/in-process/heard-response.ts';
import type { PageClock } from '../../../player/page/clocks/page-clock.ts';
import type { Listener, Wire, WireRequest } from '../../../player/page/network/wire.ts';
import type { PacketWire } from './packet-wire.ts';

/** Sends a page's requests over a viewer's connections in the packet model, to the project's edge with the video. */
export class PageWire implements Wire {
  readonly #packets: PacketWire;
  readonly #edge: FilmEdge;
  readonly #clock: PageClock;
  /** Requests that wait for the TLS handshake; undefined before the first request. */
  #waiting: (() => void)[] | undefined;
  #isSecured = false;

  constructor(packets: PacketWire, edge: FilmEdge, clock: PageClock) {
    this.#packets = packets;
    this.#edge = edge;
    this.#clock = clock;
  }

  ask(asked: WireRequest, listener: Listener): () => void {
    let giveUp: () => void;
    let isGivenUp = false;
    giveUp = () => void (isGivenUp = true);
    this.#secured(() => {
      if (!isGivenUp) giveUp = this.#send(asked, listener);
    });
    return () => giveUp();
  }

  #secured(then: () => void): void {
    if (this.#isSecured) then();
    else if (this.#waiting) this.#waiting.push(then);
    else {
      const waiting = (this.#waiting = [then]);
      this.#packets.secure(() => {
        this.#isSecured = true;
        for (const each of waiting) each();
      });
    }
  }

  #send(asked: WireRequest, listener: Listener): () => void {
    const clock = this.#clock;
    const { size_bytes, pace, body, head } = this.#edge.answer(asked);
    const fetched = this.#packets.fetch({
      ...{ size_bytes: HEADER_BYTES + size_bytes, pace_kbps: pace, cached: false },
    });
    const response = new ReportedResponse({
      ...{ clock, body, listener, arrival: fetched, head: head(fetched.receipt, clock.now_ms) },
      ended: () => fetched.release(),
    });
    fetched.onBegin = fetched.onEnd = () => response.update();
    return () => {
      if (fetched.ends_ms <= clock.now_ms) return;
      response.cancel();
      fetched.abort();
    };
  }
}
