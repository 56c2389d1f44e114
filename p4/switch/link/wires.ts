/*
 * What is behind a port's queue: a wire with a delay, jitter and random loss. A frame arrives when its last bit does,
 * `delay` after the link has finished with it; the schedule is the switch's own, so that a packet which left its queue
 * late still arrives in time, as long as it was less late than the delay. Frames keep their order.
 */
import { FrameSlab } from '../frame-slab.ts';
import { Fifo } from './fifo.ts';
import { seededRandom, type Random } from '../../../system/random/seeded-random.ts';

export interface WireSettings {
  readonly delay_ns?: number;
  /** A frame's delay is uniformly distributed, so much below and above `delay_ns`. */
  readonly jitter_ns?: number;
  /** Frames set out together, every so many nanoseconds: as ACKs do that a radio's schedule gathers. */
  readonly gather_ns?: number;
  /** The share of frames that never arrive, 0 to 1; the link's time is used up by them all the same. */
  readonly loss?: number;
}

export interface WireCounts {
  /** Frames that the wire lost. */
  readonly lost: number;
  /** Frames on their way. */
  readonly onWire: number;
}

/** The bytes are valid until the call returns. */
type Deliver = (port: number, bytes: Uint8Array, time: number) => void;

interface Travelling {
  readonly bytes: Uint8Array;
  readonly arrival: number;
}

class Wire {
  readonly port: number;
  readonly frames = new Fifo<Travelling>();
  lost = 0;
  /** No frame arrives before the one before it. */
  latest = -Infinity;
  readonly settings: Required<WireSettings>;
  readonly random: Random;

  constructor(
    port: number,
    { delay_ns = 0, jitter_ns = 0, gather_ns = 0, loss = 0 }: WireSettings,
    seed: number,
  ) {
    this.port = port;
    this.settings = { delay_ns, jitter_ns, gather_ns, loss };
    this.random = seededRandom(seed);
  }

  arrival(end: number): number {
    const { delay_ns, jitter_ns, gather_ns } = this.settings;
    const start = gather_ns > 0 ? Math.ceil(end / gather_ns) * gather_ns : end;
    const jitter = jitter_ns > 0 ? (2 * this.random() - 1) * jitter_ns : 0;
    return (this.latest = Math.max(this.latest, start + delay_ns + jitter));
  }
}

/** Far apart, so that ports do not have the same random numbers. */
const SEED_STRIDE = 7919;

export class Wires {
  private readonly wires: readonly Wire[];
  private readonly byPort: ReadonlyMap<number, Wire>;
  /** When the next frame arrives, or Infinity. */
  private next = Infinity;
  private readonly slab = new FrameSlab();
  private readonly deliver: Deliver;

  /** Ports without delay, jitter, gathering or loss have no wire. */
  constructor(ports: ReadonlyMap<number, WireSettings>, seed: number, deliver: Deliver) {
    this.wires = [...ports]
      .filter(([, settings]) => hasWire(settings))
      .map(([port, settings]) => new Wire(port, settings, seed * SEED_STRIDE + port));
    this.byPort = new Map(this.wires.map((wire) => [wire.port, wire]));
    this.deliver = deliver;
  }

  /**
   * A frame that leaves its queue at `time`, and its link at `end`; false if it is lost. Without a wire it is delivered
   * at once, at `time`, as BMv2 does.
   */
  send(port: number, bytes: Uint8Array, time: number, end: number): boolean {
    const wire = this.byPort.get(port);
    if (!wire) {
      this.deliver(port, bytes, time);
      return true;
    }
    if (wire.settings.loss > 0 && wire.random() < wire.settings.loss) {
      wire.lost++;
      return false;
    }
    this.slab.room().set(bytes);
    const arrival = wire.arrival(end);
    wire.frames.push({ bytes: this.slab.take(bytes.length), arrival });
    this.next = Math.min(this.next, arrival);
    return true;
  }

  /** When the next frame arrives, or Infinity. */
  nextArrival(): number {
    return this.next;
  }

  /** Delivers what has arrived by `now`, in the order of arrival. */
  advance(now: number): void {
    while (this.next <= now && this.next < Infinity) {
      const wire = this.wires.find(({ frames }) => frames.first?.arrival === this.next);
      const frame = wire?.frames.shift();
      this.next = this.wires.reduce(
        (next, { frames }) => Math.min(next, frames.first?.arrival ?? Infinity),
        Infinity,
      );
      if (wire && frame) this.deliver(wire.port, frame.bytes, frame.arrival);
    }
  }

  counts(port: number): WireCounts {
    const wire = this.byPort.get(port);
    return { lost: wire?.lost ?? 0, onWire: wire?.frames.length ?? 0 };
  }
}

export const hasWire = ({ delay_ns = 0, jitter_ns = 0, gather_ns = 0, loss = 0 }: WireSettings): boolean =>
  delay_ns > 0 || jitter_ns > 0 || gather_ns > 0 || loss > 0;
