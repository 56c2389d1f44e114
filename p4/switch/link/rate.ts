import type { Random } from '../../../system/random/seeded-random.ts';
import type { Trace } from './trace.ts';

/** How fast a port's link takes packets; plain data. Whole Ethernet frames count, without their checksum. */
export type RateSettings =
  /** Whichever of the two is slower; with neither the link is never busy. */
  | {
      readonly kind: 'constant';
      readonly bitsPerSecond?: number;
      /** BMv2's unit. */
      readonly packetsPerSecond?: number;
    }
  /** Each step in turn, and then the first again, from the link's first packet on. */
  | {
      readonly kind: 'schedule';
      readonly steps: readonly { readonly seconds: number; readonly bitsPerSecond: number }[];
    }
  /** A packet takes an exponentially distributed time, in the mean as long as at this rate. */
  | { readonly kind: 'poisson'; readonly bitsPerSecond: number }
  /** mahimahi's: at each opportunity as many bytes as a frame of full size has, from the link's first packet on. */
  | ({ readonly kind: 'trace' } & Pick<Trace, 'opportunities_ms' | 'duration_ms'>);

/** The link's schedule; all times are nanoseconds. */
export interface Rate {
  /** When a link that has been free since `time` can begin with a packet. */
  ready(time: number): number;
  /** A packet of so many bytes begins at `time`, which was `ready`; returns when the link has finished with it. */
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
        // 1 - random is never 0, whose logarithm has no end.
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
  /** Bits in a nanosecond. */
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

  /** The step at a time, and how much of it is left. */
  private stepAt(time: number): { index: number; left: number } {
    let into = (time - (this.origin ?? time)) % this.length;
    for (const [index, { length }] of this.steps.entries()) {
      if (into < length) return { index, left: length - into };
      into -= length;
    }
    return { index: 0, left: this.steps[0]?.length ?? 0 };
  }
}

/** A frame of full size, which is one of mahimahi's opportunities. */
const FRAME_BYTES = 1514;

class TracedRate implements Rate {
  private readonly opportunities: readonly number[];
  private readonly length: number;
  private origin: number | undefined;
  /** The opportunity that is used next, counted through all repetitions, and what is left of it. */
  private next = 0;
  private left = FRAME_BYTES;

  constructor(opportunities_ms: readonly number[], duration_ms: number) {
    this.opportunities = opportunities_ms.map((ms) => ms * 1e6);
    this.length = duration_ms * 1e6;
  }

  /** What an opportunity had left when no packet came any more is lost, as in mm-link. */
  ready(time: number): number {
    this.origin ??= time;
    if (this.timeOf(this.next) < time) {
      this.next = this.firstFrom(time - this.origin);
      this.left = FRAME_BYTES;
    }
    return this.timeOf(this.next);
  }

  /** A packet that needs several opportunities has left with the last of them. */
  take(time: number, bytes: number): number {
    let rest = bytes;
    let end = this.ready(time);
    while (rest > 0) {
      end = this.timeOf(this.next);
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

  private timeOf(index: number): number {
    const { length } = this.opportunities;
    const within = this.opportunities[index % length] ?? 0;
    return (this.origin ?? 0) + Math.floor(index / length) * this.length + within;
  }

  /** The first opportunity that is not before `into`, counted from the origin, by bisection. */
  private firstFrom(into: number): number {
    const { length } = this.opportunities;
    const passes = Math.floor(into / this.length);
    const within = into - passes * this.length;
    let [low, high] = [0, length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.opportunities[middle] ?? 0) < within) low = middle + 1;
      else high = middle;
    }
    // The end of a pass, where its last opportunities are, is the beginning of the next.
    return within === 0 && passes > 0 ? this.firstAtEnd(passes * length - 1) : passes * length + low;
  }

  /** Of several at the end of a pass the first. */
  private firstAtEnd(last: number): number {
    let index = last;
    while (index > 0 && this.timeOf(index - 1) === this.timeOf(last)) index--;
    return index;
  }
}
