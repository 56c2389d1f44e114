import type { Random } from '../../../system/random/seeded-random.ts';
import type { Trace } from './trace.ts';

/** The rate of a port's link, as plain data. Rates count whole Ethernet frames without their checksum. */
export type RateSettings =
  /** A constant rate. If both fields are set, the slower rate applies; without either, the link is never busy. */
  | {
      readonly kind: 'constant';
      readonly bitsPerSecond?: number;
      /** A rate in BMv2's unit. */
      readonly packetsPerSecond?: number;
    }
  /** Steps of constant rates, repeated. The first step starts with the link's first packet. */
  | {
      readonly kind: 'schedule';
      readonly steps: readonly { readonly seconds: number; readonly bitsPerSecond: number }[];
    }
  /** A packet occupies the link for an exponentially distributed time, whose mean is its time at this rate. */
  | { readonly kind: 'poisson'; readonly bitsPerSecond: number }
  /**
   * A mahimahi trace: each delivery opportunity delivers the bytes of a full frame. The trace starts with the link's
   * first packet.
   */
  | ({ readonly kind: 'trace' } & Pick<Trace, 'opportunities_ms' | 'duration_ms'>);

/** The schedule of a link. All times are in nanoseconds. */
export interface Rate {
  /** Returns the earliest time at which a link that has been free since `time` can start a packet. */
  ready(time: number): number;
  /**
   * Starts a packet at `time`, which must be a result of `ready`. Returns the time at which the link finishes the
   * packet.
   */
  take(time: number, bytes: number): number;
}

export const NEVER_BUSY: RateSettings = { kind: 'constant' };

export function makeRate(settings: RateSettings, random: Random): Rate {
  switch (settings.kind) {
    case 'constant':
      return constant(settings.bitsPerSecond, settings.packetsPerSecond);
    case 'schedule':
      return new ScheduledRate(settings.steps);
    case 'poisson':
      return {
        ready: (time) => time,
        // `1 - random()` is never 0, so its logarithm is finite.
        take: (time, bytes) => time - (Math.log(1 - random()) * bytes * 8e9) / settings.bitsPerSecond,
      };
    case 'trace':
      return new TracedRate(settings.opportunities_ms, settings.duration_ms);
  }
}

function constant(bitsPerSecond = Infinity, packetsPerSecond = Infinity): Rate {
  return {
    ready: (time) => time,
    take: (time, bytes) => time + Math.max((bytes * 8e9) / bitsPerSecond, 1e9 / packetsPerSecond),
  };
}

interface Step {
  readonly length: number;
  /** Bits per nanosecond. */
  readonly rate: number;
}

class ScheduledRate implements Rate {
  private readonly steps: readonly Step[];
  private readonly length: number;
  private origin: number | undefined;

  constructor(steps: readonly { readonly seconds: number; readonly bitsPerSecond: number }[]) {
    this.steps = steps.map(({ seconds, bitsPerSecond }) => ({
      length: seconds * 1e9,
      rate: bitsPerSecond / 1e9,
    }));
    this.length = this.steps.reduce((sum, { length }) => sum + length, 0);
  }

  ready(time: number): number {
    this.origin ??= time;
    return time;
  }

  take(time: number, bytes: number): number {
    let bits = bytes * 8;
    let at = this.ready(time);
    let { index, left } = this.stepAt(at);
    for (;;) {
      const step = this.steps[index];
      if (!step) throw new Error('a schedule has at least one step');
      if (bits <= left * step.rate) return at + bits / step.rate;
      bits -= left * step.rate;
      at += left;
      index = (index + 1) % this.steps.length;
      left = this.steps[index]?.length ?? 0;
    }
  }

  /** The step at `time`, and its remaining nanoseconds. */
  private stepAt(time: number): { index: number; left: number } {
    let into = (time - (this.origin ?? time)) % this.length;
    for (const [index, { length }] of this.steps.entries()) {
      if (into < length) return { index, left: length - into };
      into -= length;
    }
    return { index: 0, left: this.steps[0]?.length ?? 0 };
  }
}

/** Bytes of a full Ethernet frame. One opportunity of a mahimahi trace delivers one full frame. */
const FRAME_BYTES = 1514;

class TracedRate implements Rate {
  private readonly opportunities: readonly number[];
  private readonly length: number;
  private origin: number | undefined;
  /** Index of the next opportunity, counted across repetitions. */
  private next = 0;
  /** The remaining bytes of this opportunity. */
  private left = FRAME_BYTES;

  constructor(opportunities_ms: readonly number[], duration_ms: number) {
    this.opportunities = opportunities_ms.map((ms) => ms * 1e6);
    this.length = duration_ms * 1e6;
  }

  /** If no packet is waiting, the unused rest of an opportunity is lost, as in mm-link. */
  ready(time: number): number {
    this.origin ??= time;
    if (this.opportunityTime(this.next) < time) {
      this.next = this.findFirstAtOrAfter(time - this.origin);
      this.left = FRAME_BYTES;
    }
    return this.opportunityTime(this.next);
  }

  /** A packet that needs several opportunities leaves the link with the last one. */
  take(time: number, bytes: number): number {
    let rest = bytes;
    let end = this.ready(time);
    while (rest > 0) {
      end = this.opportunityTime(this.next);
      const used = Math.min(rest, this.left);
      rest -= used;
      this.left -= used;
      if (this.left === 0) {
        this.next++;
        this.left = FRAME_BYTES;
      }
    }
    return end;
  }

  private opportunityTime(index: number): number {
    const { length } = this.opportunities;
    const within = this.opportunities[index % length] ?? 0;
    return (this.origin ?? 0) + Math.floor(index / length) * this.length + within;
  }

  /** Finds the first opportunity at or after `into`, which counts from the origin, by bisection. */
  private findFirstAtOrAfter(into: number): number {
    const { length } = this.opportunities;
    const passes = Math.floor(into / this.length);
    const within = into - passes * this.length;
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.opportunities[middle] ?? 0) < within) low = middle + 1;
      else high = middle;
    }
    // An opportunity at the end of a pass is at the same time as the start of the next pass.
    return within === 0 && passes > 0 ? this.findFirstAtSameTime(passes * length - 1) : passes * length + low;
  }

  /** Returns the first opportunity at the same time as the opportunity `last`. */
  private findFirstAtSameTime(last: number): number {
    let index = last;
    while (index > 0 && this.opportunityTime(index - 1) === this.opportunityTime(last)) index--;
    return index;
  }
}
