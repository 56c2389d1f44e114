/* v1model's stateful objects: registers, counters and meters. */

export class Register {
  readonly size: number;
  /**
   * Converts a number from the control plane to the register's representation; undefined if it does not hold numbers.
   */
  private readonly convert: ((value: bigint) => unknown) | undefined;
  /** Sparse: only written values. All other indices have the initial value. */
  private values: unknown[] = [];
  private make: () => unknown = () => 0;

  constructor(size: number, convert: ((value: bigint) => unknown) | undefined) {
    this.size = size;
    this.convert = convert;
  }

  fill(make: () => unknown): void {
    this.make = make;
    this.values = [];
  }

  reset(): void {
    this.fill(this.make);
  }

  /** Returns the value at an index, or the initial value if it was never written or the index is out of bounds. */
  read(index: number): unknown {
    return this.values[index] ?? this.make();
  }

  /** Writes a number from the control plane. */
  set(index: number, value: bigint): void {
    if (!this.convert) throw new Error('the register does not hold numbers');
    this.write(index, this.convert(value));
  }

  write(index: number, value: unknown): void {
    if (index < this.size) this.values[index] = value;
  }
}

export interface Count {
  packets: number;
  bytes: number;
}

export class Counter {
  private readonly size: number;
  private readonly counts: (Count | undefined)[] = [];

  constructor(size: number) {
    this.size = size;
  }

  count(index: number, bytes: number): void {
    if (index >= this.size) return;
    const count = (this.counts[index] ??= { packets: 0, bytes: 0 });
    count.packets++;
    count.bytes += bytes;
  }

  /** The count at an index; undefined if the index is out of bounds. */
  at(index: number): Count | undefined {
    return index < this.size ? (this.counts[index] ?? { packets: 0, bytes: 0 }) : undefined;
  }
}

/** A rate in units (packets or bytes) per microsecond, and a burst in units, as in BMv2. */
interface MeterRate {
  readonly rate: number;
  readonly burst: number;
}

const GREEN = 0;

/**
 * A two-rate three-color marker (RFC 2698, color-blind): 0 is green, 1 yellow, 2 red. The first rate is the committed
 * rate, and the second the peak rate. Without rates, all packets are green.
 */
class MeterBuckets {
  private rates: MeterRate[] = [];
  private tokens: number[] = [];
  private last = 0;

  setRates(rates: MeterRate[]): void {
    this.rates = rates;
    this.tokens = rates.map(({ burst }) => burst);
  }

  /** Returns the color of a packet at `now`, in nanoseconds, and takes its tokens. */
  color(units: number, now: number): number {
    if (!this.rates.length) return GREEN;
    const elapsed = Math.max(0, now - this.last) / 1000;
    this.last = now;
    this.tokens = this.rates.map(({ rate, burst }, at) =>
      Math.min(burst, (this.tokens[at] ?? 0) + rate * elapsed),
    );
    let color = this.rates.length;
    for (let at = this.rates.length - 1; at >= 0; at--) {
      if ((this.tokens[at] ?? 0) < units) return color;
      this.tokens[at] = (this.tokens[at] ?? 0) - units;
      color = at;
    }
    return color;
  }
}

export class Meter {
  private readonly size: number;
  private readonly buckets: (MeterBuckets | undefined)[] = [];
  private readonly countsBytes: boolean;

  constructor(size: number, countsBytes: boolean) {
    this.size = size;
    this.countsBytes = countsBytes;
  }

  setRates(index: number, rates: MeterRate[]): void {
    if (index >= this.size) return;
    (this.buckets[index] ??= new MeterBuckets()).setRates(rates);
  }

  execute(index: number, bytes: number, now: number): number {
    return this.buckets[index]?.color(this.countsBytes ? bytes : 1, now) ?? GREEN;
  }
}

/** Counts the hits of every entry of a table. */
export class DirectCounter {
  private readonly counts = new Map<object, Count>();
  private readonly entries: object[] = [];

  /** Registers a new entry. Its number is the number of entries registered before it, as in BMv2. */
  enter(entry: object): void {
    this.entries.push(entry);
  }

  at(number: number): Count {
    const entry = this.entries[number];
    return (entry && this.counts.get(entry)) ?? { packets: 0, bytes: 0 };
  }

  hit(entry: object, bytes: number): void {
    const count = this.counts.get(entry) ?? { packets: 0, bytes: 0 };
    this.counts.set(entry, count);
    count.packets++;
    count.bytes += bytes;
  }
}

export class DirectMeter {
  readonly buckets = new Map<object, MeterBuckets>();
  private readonly countsBytes: boolean;
  private current: MeterBuckets | undefined;

  constructor(countsBytes: boolean) {
    this.countsBytes = countsBytes;
  }

  hit(entry: object): void {
    this.current = this.buckets.get(entry);
  }

  read(bytes: number, now: number): number {
    return this.current?.color(this.countsBytes ? bytes : 1, now) ?? GREEN;
  }
}
