/*
 * The wire behind a port's link, with delay, jitter and random loss. The last bit of a frame arrives `delay` after the
 * link has finished the frame. Because arrivals follow the scheduled departures, a frame that was read late still
 * arrives on time if it was late by less than the delay. Frames keep their order.
 */
import { FrameSlab } from '../frame-slab.ts';
import { Fifo } from './fifo.ts';
import { seededRandom, type Random } from '../../../system/random/seeded-random.ts';

export interface WireSettings {
  readonly delay_ns?: number;
  /** A frame's delay is uniformly distributed within this distance of `delay_ns`. */
  readonly jitter_ns?: number;
  /** Interval at which the frames that have waited leave together, as on a radio link that sends ACKs in batches. */
  readonly gather_ns?: number;
  /** The share of frames that are lost, 0 to 1. Lost frames still use link time. */
  readonly loss?: number;
}

export interface WireCounts {
  /** Number of frames that the wire lost. */
  readonly lost: number;
  /** Number of frames on the wire. */
  readonly onWire: number;
}

/** Called when a frame arrives. `bytes` is valid only during the call. */
type Deliver = (port: number, bytes: Uint8Array, time: number) => void;

interface Travelling {
  readonly bytes: Uint8Array;
  readonly arrival: number;
}

class Wire {
  readonly port: number;
  readonly frames = new Fifo<Travelling>();
  lost = 0;
  /** The latest arrival time so far. No later frame arrives before it, which keeps the order. */
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

/** The factor of the configured seed, so that no two ports share a seed, not even in runs with different seeds. */
const SEED_STRIDE = 7919;

export class Wires {
  private readonly wires: readonly Wire[];
  private readonly byPort: ReadonlyMap<number, Wire>;
  /** Time of the next arrival, or Infinity. */
  private next = Infinity;
  private readonly slab = new FrameSlab();
  private readonly deliver: Deliver;

  /** Makes a wire for each port that has delay, jitter, gathering or loss. */
  constructor(ports: ReadonlyMap<number, WireSettings>, seed: number, deliver: Deliver) {
    this.wires = [...ports]
      .filter(([, settings]) => hasWire(settings))
      .map(([port, settings]) => new Wire(port, settings, seed * SEED_STRIDE + port));
    this.byPort = new Map(this.wires.map((wire) => [wire.port, wire]));
    this.deliver = deliver;
  }

  /**
   * Sends a frame that leaves its queue at `time` and its link at `end`. Returns false if the wire loses the frame. On
   * a port without a wire, delivers the frame immediately, at `time`, like BMv2.
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
    this.slab.freeSpace().set(bytes);
    const arrival = wire.arrival(end);
    wire.frames.push({ bytes: this.slab.take(bytes.length), arrival });
    this.next = Math.min(this.next, arrival);
    return true;
  }

  /** Time of the next arrival, or Infinity. */
  nextArrival(): number {
    return this.next;
  }

  /** Delivers the frames that arrive by `now`, in order of arrival. */
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
