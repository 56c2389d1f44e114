/*
 * The v1model pipeline, in the order of BMv2's simple_switch. Before the queue: parser, checksum verification, ingress,
 * ingress clone, resubmission, multicast, drop. After the queue: egress, egress clone, drop, checksum computation,
 * deparser, and then recirculation or output at the port.
 */
import { compileFunction } from 'node:vm';
import type { Compiled } from '../compiler/compile.ts';
import { makeObjects } from '../externs/make-objects.ts';
import type { BitWriter } from './bits.ts';
import type { Copyable, Generated, StandardMetadata } from './generated.ts';
import type { PacketIn } from './packet-in.ts';
import { ClaimFailed, DROP_PORT, Runtime } from './runtime.ts';
import type { RuntimeOptions } from './runtime.ts';
import { Wires, type WireSettings } from './link/wires.ts';
import { TrafficManager } from './traffic-manager.ts';
import type { PortSettings } from './traffic-manager.ts';
import { EXIT, Rejection } from './values.ts';

type MakeProgram = ($rt: Runtime, $in: PacketIn, $out: BitWriter, $bits: BitWriter) => Generated;

/** Values of standard_metadata.instance_type. */
const INSTANCE = {
  normal: 0,
  ingressClone: 1,
  egressClone: 2,
  recirculated: 4,
  replicated: 5,
  resubmitted: 6,
};

/** The maximum number of passes of a packet through the switch. More are treated as an endless loop. */
const MAX_PASSES = 64;

interface InFlight {
  headers: Copyable;
  metadata: Copyable;
  standard: StandardMetadata;
  rest: Uint8Array;
  /** Length in bytes when the packet entered ingress. */
  readonly length: number;
  readonly ingressPort: number;
  readonly passes: number;
  truncate: number;
}

export interface MulticastNode {
  readonly rid: number;
  readonly ports: readonly number[];
}

/** Packet counts by outcome. */
export interface SwitchCounts {
  received: number;
  transmitted: number;
  /** Additional packets made by clones and multicast. */
  copies: number;
  droppedInIngress: number;
  droppedInEgress: number;
  droppedInQueue: number;
  /** Packets that were lost on the wire, after they had left the link. */
  lostOnWire: number;
  /** Packets stopped by a false claim or an endless loop. */
  failed: number;
}

interface SwitchOptions extends RuntimeOptions {
  readonly ports?: ReadonlyMap<number, PortSettings & WireSettings>;
  readonly priorities?: number;
  /** Seed of the links' random numbers: loss, jitter, and times of a Poisson process. */
  readonly seed?: number;
  /** Called when a packet leaves the switch. `bytes` is valid only during the call. */
  readonly transmit: (port: number, bytes: Uint8Array, time: number) => void;
  /** Called when `assert`, `assume` or an endless loop stops a packet. */
  readonly onFailure?: (message: string) => void;
}

export const noCounts = (): SwitchCounts => ({
  received: 0,
  transmitted: 0,
  copies: 0,
  droppedInIngress: 0,
  droppedInEgress: 0,
  droppedInQueue: 0,
  lostOnWire: 0,
  failed: 0,
});

export class V1Switch {
  readonly compiled: Compiled;
  readonly runtime: Runtime;
  readonly queues: TrafficManager<InFlight>;
  readonly wires: Wires;
  readonly mirrors = new Map<number, { port?: number; group?: number }>();
  readonly groups = new Map<number, MulticastNode[]>();
  readonly counts = noCounts();
  private readonly program: Generated;
  private readonly options: SwitchOptions;

  constructor(compiled: Compiled, options: SwitchOptions) {
    this.options = options;
    this.compiled = compiled;
    this.runtime = new Runtime(compiled.program, makeObjects(compiled.program), options);
    const { ports = new Map<number, PortSettings & WireSettings>(), priorities, seed = 1 } = options;
    this.queues = new TrafficManager(ports, priorities, seed);
    this.wires = new Wires(ports, seed, (port, bytes, time) => {
      this.counts.transmitted++;
      options.transmit(port, bytes, time);
    });
    const { runtime } = this;
    const parameters = ['$rt', '$in', '$out', '$bits'];
    const make = compileFunction(compiled.javascript, parameters, {
      filename: 'program.p4.js',
    }) as MakeProgram;
    this.program = make(runtime, runtime.packetIn, runtime.packetOut, runtime.bits);
  }

  /** Processes a packet that arrives at a port at `now`, in nanoseconds. The switch keeps `bytes`. */
  receive(port: number, bytes: Uint8Array, now: number): void {
    this.counts.received++;
    this.catchFalseClaim(() => this.ingress(bytes, port, INSTANCE.normal, 0, undefined, now));
  }

  /** Sends all packets that are due at `now`. */
  advance(now: number): void {
    for (let departure = this.queues.dequeue(now); departure; departure = this.queues.dequeue(now)) {
      const { item, port, time, depth } = departure;
      this.catchFalseClaim(() => this.egress(item, port, time, depth));
    }
    this.wires.advance(now);
  }

  /** The time of the next departure from a queue or arrival at the end of a wire, or Infinity. */
  nextEvent(): number {
    return Math.min(this.queues.nextDeparture(), this.wires.nextArrival());
  }

  private catchFalseClaim(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof ClaimFailed)) throw error;
      this.counts.failed++;
      this.options.onFailure?.(error.message);
    }
  }

  private parse(bytes: Uint8Array, port: number, instance: number, now: number, passes: number): InFlight {
    const { program, runtime } = this;
    const standard = program.standard();
    const packet: InFlight = {
      headers: program.headers(),
      metadata: program.metadata(),
      standard,
      rest: bytes,
      length: bytes.length,
      ingressPort: port,
      passes,
      truncate: Infinity,
    };
    standard.ingress_port = port;
    standard.packet_length = bytes.length;
    standard.instance_type = instance;
    standard.ingress_global_timestamp = BigInt(Math.floor(now / 1000));
    runtime.packetLength = bytes.length;
    runtime.now = now;
    runtime.standard = standard;
    return packet;
  }

  private runParser(packet: InFlight, bytes: Uint8Array): void {
    const { program, runtime } = this;
    runtime.begin();
    runtime.packetIn.reset(bytes);
    try {
      program.parse(packet.headers, packet.metadata, packet.standard);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      packet.standard.parser_error = error.code;
    }
    packet.rest = runtime.packetIn.rest();
    runtime.rest = packet.rest;
  }

  /** Runs a control; `exit` ends only this control. */
  private control(run: () => void): void {
    this.runtime.begin();
    try {
      run();
    } catch (error) {
      if (error !== EXIT) throw error;
    }
  }

  private ingress(
    bytes: Uint8Array,
    port: number,
    instance: number,
    passes: number,
    kept: { list: number; from: InFlight } | undefined,
    now: number,
  ): void {
    const { program, runtime } = this;
    const packet = this.parse(bytes, port, instance, now, passes);
    if (kept) this.preserveMetadata(kept.list, kept.from, packet, instance);
    const { headers, metadata, standard } = packet;
    runtime.requests = { clone: undefined, resubmit: undefined, recirculate: undefined, truncate: Infinity };
    this.runParser(packet, bytes);
    this.control(() => program.verifyChecksum(headers, metadata));
    this.control(() => program.ingress(headers, metadata, standard));
    const { requests } = runtime;
    packet.truncate = requests.truncate;

    if (requests.clone) this.ingressClone(packet, bytes, requests.clone, now);
    if (requests.resubmit !== undefined) {
      if (passes >= MAX_PASSES) throw new ClaimFailed(`a packet was resubmitted ${MAX_PASSES} times`);
      this.ingress(
        bytes,
        port,
        INSTANCE.resubmitted,
        passes + 1,
        { list: requests.resubmit, from: packet },
        now,
      );
      return;
    }
    if (standard.mcast_grp !== 0) {
      this.multicast(packet, standard.mcast_grp, INSTANCE.replicated, now);
      return;
    }
    if (standard.egress_spec === DROP_PORT) {
      this.counts.droppedInIngress++;
      return;
    }
    standard.instance_type = INSTANCE.normal;
    this.enqueue(packet, standard.egress_spec, now);
  }

  /** Copies the metadata of the field list `list`. All other metadata keeps its initial values. */
  private preserveMetadata(list: number, from: InFlight, to: InFlight, instance: number): void {
    if (list >= 0) this.program.preserve(list, from.metadata, from.standard, to.metadata, to.standard);
    to.standard.instance_type = instance;
  }

  /** Clones the packet as it was received, and parses it again. */
  private ingressClone(
    packet: InFlight,
    bytes: Uint8Array,
    request: { session: number; list: number },
    now: number,
  ): void {
    const copy = this.parse(bytes, packet.ingressPort, INSTANCE.ingressClone, now, packet.passes + 1);
    this.runParser(copy, bytes);
    this.preserveMetadata(request.list, packet, copy, INSTANCE.ingressClone);
    this.mirror(copy, request.session, now);
    this.runtime.standard = packet.standard;
  }

  private mirror(copy: InFlight, session: number, now: number): void {
    const mirror = this.mirrors.get(session);
    if (!mirror) return;
    if (copy.passes > MAX_PASSES) throw new ClaimFailed(`a packet was cloned ${MAX_PASSES} times over`);
    if (mirror.group !== undefined) this.multicast(copy, mirror.group, copy.standard.instance_type, now);
    if (mirror.port === undefined) return;
    this.counts.copies++;
    this.enqueue(copy, mirror.port, now);
  }

  private multicast(packet: InFlight, group: number, instance: number, now: number): void {
    let replicas = 0;
    for (const { rid, ports } of this.groups.get(group) ?? [])
      for (const port of ports) {
        const standard = this.program.standard();
        standard.$set(packet.standard);
        standard.egress_rid = rid;
        standard.instance_type = instance;
        const replica: InFlight = {
          ...packet,
          headers: packet.headers.$copy(),
          metadata: packet.metadata.$copy(),
          standard,
        };
        replicas++;
        this.enqueue(replica, port, now);
      }
    if (instance === INSTANCE.replicated) {
      if (replicas === 0) this.counts.droppedInIngress++;
      else this.counts.copies += replicas - 1;
    } else this.counts.copies += replicas;
  }

  private enqueue(packet: InFlight, port: number, now: number): void {
    const { standard } = packet;
    const { queues } = this;
    standard.enq_timestamp = Math.floor(now / 1000) >>> 0;
    standard.enq_qdepth = queues.depth(port, standard.priority);
    const entered = queues.enqueue(port, standard.priority, packet, packet.length, now);
    if (!entered) this.counts.droppedInQueue++;
  }

  private egress(packet: InFlight, port: number, now: number, depth: number): void {
    const { program, runtime } = this;
    const { headers, metadata, standard } = packet;
    const microseconds = Math.floor(now / 1000);
    standard.egress_port = port;
    standard.egress_spec = 0;
    standard.packet_length = packet.length;
    standard.deq_qdepth = depth;
    standard.deq_timedelta = (microseconds - standard.enq_timestamp) >>> 0;
    standard.egress_global_timestamp = BigInt(microseconds);
    runtime.packetLength = packet.length;
    runtime.now = now;
    runtime.standard = standard;
    runtime.rest = packet.rest;
    runtime.requests = {
      clone: undefined,
      resubmit: undefined,
      recirculate: undefined,
      truncate: packet.truncate,
    };
    this.control(() => program.egress(headers, metadata, standard));
    const { requests } = runtime;

    if (requests.clone) this.egressClone(packet, requests.clone, now);
    if (standard.egress_spec === DROP_PORT) {
      this.counts.droppedInEgress++;
      return;
    }
    this.control(() => program.computeChecksum(headers, metadata));
    runtime.packetOut.clear();
    this.control(() => program.deparse(headers));
    const room = requests.truncate - runtime.packetOut.length;
    if (room > 0) runtime.packetOut.putBytes(packet.rest.subarray(0, Math.min(room, packet.rest.length)));
    const whole = runtime.packetOut.view();
    const bytes = requests.truncate < whole.length ? whole.subarray(0, requests.truncate) : whole;
    if (requests.recirculate !== undefined) {
      if (packet.passes >= MAX_PASSES) throw new ClaimFailed(`a packet was recirculated ${MAX_PASSES} times`);
      const kept = { list: requests.recirculate, from: packet };
      this.ingress(bytes.slice(), packet.ingressPort, INSTANCE.recirculated, packet.passes + 1, kept, now);
      return;
    }
    const end = this.queues.transmit(port, bytes.length, now);
    if (!this.wires.send(port, bytes, now, end)) this.counts.lostOnWire++;
  }

  /**
   * Clones the packet as it is after egress, even if egress drops the original. The clone's metadata has its initial
   * values, except for the requested field list.
   */
  private egressClone(packet: InFlight, request: { session: number; list: number }, now: number): void {
    const copy: InFlight = {
      ...packet,
      headers: packet.headers.$copy(),
      metadata: this.program.metadata(),
      standard: this.program.standard(),
      passes: packet.passes + 1,
      truncate: Infinity,
    };
    this.preserveMetadata(request.list, packet, copy, INSTANCE.egressClone);
    this.mirror(copy, request.session, now);
  }
}
