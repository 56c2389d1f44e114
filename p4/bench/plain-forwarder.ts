import type { Forwarder } from '../switch/live/live-loop.ts';
import { Wires, type WireSettings } from '../switch/link/wires.ts';
import { TrafficManager } from '../switch/traffic-manager.ts';
import type { PortSettings } from '../switch/traffic-manager.ts';
import { noCounts } from '../switch/v1model.ts';

/**
 * Forwards frames between ports without reading them, through one queue and one wire per port: the minimum work of a
 * switch.
 */
export class PlainForwarder implements Forwarder {
  readonly queues: TrafficManager<Uint8Array>;
  readonly wires: Wires;
  readonly counts = noCounts();
  private readonly outputPorts: ReadonlyMap<number, number>;

  constructor(
    ports: ReadonlyMap<number, PortSettings & WireSettings>,
    /** The output port for each input port. */
    outputPorts: ReadonlyMap<number, number>,
    transmit: (port: number, bytes: Uint8Array, time: number) => void,
  ) {
    this.queues = new TrafficManager(ports);
    this.outputPorts = outputPorts;
    this.wires = new Wires(ports, 1, (port, bytes, time) => {
      this.counts.transmitted++;
      transmit(port, bytes, time);
    });
  }

  receive(port: number, frame: Uint8Array, now: number): void {
    this.counts.received++;
    const to = this.outputPorts.get(port);
    if (to === undefined) this.counts.droppedInIngress++;
    else if (!this.queues.enqueue(to, 0, frame, frame.length, now)) this.counts.droppedInQueue++;
  }

  advance(now: number): void {
    for (let next = this.queues.dequeue(now); next; next = this.queues.dequeue(now)) {
      const { port, item, time } = next;
      const end = this.queues.transmit(port, item.length, time);
      if (!this.wires.send(port, item, time, end)) this.counts.lostOnWire++;
    }
    this.wires.advance(now);
  }

  nextEvent(): number {
    return Math.min(this.queues.nextDeparture(), this.wires.nextArrival());
  }
}
