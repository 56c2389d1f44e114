import type { Forwarder } from '../switch/live/live-loop.ts';
import { TrafficManager } from '../switch/traffic-manager.ts';
import type { PortSettings } from '../switch/traffic-manager.ts';
import { noCounts } from '../switch/v1model.ts';

/** The least that a switch does: one queue per port, without reading the frame. */
export class PlainForwarder implements Forwarder {
  readonly queues: TrafficManager<Uint8Array>;
  readonly counts = noCounts();
  private readonly outOf: ReadonlyMap<number, number>;
  private readonly transmit: (port: number, bytes: Uint8Array, time: number) => void;

  constructor(
    ports: ReadonlyMap<number, PortSettings>,
    /** The port of departure for each port of arrival. */
    outOf: ReadonlyMap<number, number>,
    transmit: (port: number, bytes: Uint8Array, time: number) => void,
  ) {
    this.queues = new TrafficManager(ports);
    this.outOf = outOf;
    this.transmit = transmit;
  }

  receive(port: number, frame: Uint8Array, now: number): void {
    this.counts.received++;
    const to = this.outOf.get(port);
    if (to === undefined) this.counts.droppedInIngress++;
    else if (!this.queues.enqueue(to, 0, frame, frame.length, now)) this.counts.droppedInQueue++;
  }

  advance(now: number): void {
    for (let next = this.queues.dequeue(now); next; next = this.queues.dequeue(now)) {
      const { port, item, time } = next;
      this.queues.transmit(port, item.length, time, true);
      this.counts.transmitted++;
      this.transmit(port, item, time);
    }
  }
}
