import { OPPORTUNITY_BYTES } from '../../../../p4/switch/link/trace.ts';
import { INTERVAL_MS, WIRE_BYTES } from '../../neighbors/udp/udp-packet.ts';
import type { UdpArrival } from '../../neighbors/udp/udp-receiver.ts';
import { udpResult } from '../../neighbors/udp/udp-result.ts';
import type { NeighborPath, SimulatedNeighbor } from './neighbor.ts';

/** The packet's size as a multiple of a full packet, the unit that recorders use. */
const PACKETS = WIRE_BYTES / OPPORTUNITY_BYTES;

/** Sends packets at a fixed interval from the request for playback on, regardless of losses. */
export class SimulatedUdp implements SimulatedNeighbor {
  readonly #path: NeighborPath;
  readonly #arrivals: UdpArrival[] = [];
  #sequence = 0;

  constructor(path: NeighborPath) {
    this.#path = path;
  }

  get next_ms(): number {
    return this.#sequence * INTERVAL_MS;
  }

  playbackStarted(): void {
    // Nothing to do: the neighbor is already sending.
  }

  send(): void {
    const { bottleneck, base_ms, loss, random, observe } = this.#path;
    const sent_ms = this.next_ms;
    const sequence = this.#sequence++;
    const passage = bottleneck.pass({ from_ms: sent_ms, to_ms: sent_ms, bytes: WIRE_BYTES }, this);
    // A partially dropped packet counts as lost.
    const lost = passage.dropped_bytes > 0 || (loss > 0 && random() < loss);
    observe?.({ ...passage, sent_ms, sends_ms: 0, packets: PACKETS, lost_packets: lost ? PACKETS : 0 });
    if (!lost) this.#arrivals.push({ sequence, sent_ms, received_ms: passage.ends_ms + base_ms / 2 });
  }

  result(session: Parameters<SimulatedNeighbor['result']>[0]) {
    const sent = { begun_ms: 0, count: this.#sequence };
    return udpResult(this.#arrivals, sent, (at_ms) => at_ms / 1000, session);
  }
}
