/* v1model's stateful objects. */

export class Register {
  readonly size: number;
  /** How a number from the control plane is held here; missing if the register holds none. */
  private readonly hold: ((value: bigint) => unknown) | undefined;
  /** Holds only the values that were written; all others still have the initial value. */
  private values: unknown[] = [];
  private make: () => unknown = () => 0;

  constructor(size: number, hold: ((value: bigint) => unknown) | undefined) {
    this.size = size;
    this.hold = hold;
  }

  fill(make: () => unknown): void {
    this.make = make;
    this.values = [];
  }

  reset(): void {
    this.fill(this.make);
  }

  /** What was written there; the initial value where nothing was, or where the index is outside of the array. */
  read(index: number): unknown {
    return this.values[index] ?? this.make();
  }

  /** Writes what the control plane says. */
  set(index: number, value: bigint): void {
    if (!this.hold) throw new Error('the register does not hold numbers');
    this.write(index, this.hold(value));
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

  /** What was counted there; nothing for an index the counter does not have. */
  at(index: number): Count | undefined {
    return index < this.size ? (this.counts[index] ?? { packets: 0, bytes: 0 }) : undefined;
  }
}

/** A rate and a burst, in units (packets or bytes) and units per microsecond, as BMv2 is told them. */
interface MeterRate {
  readonly rate: number;
  readonly burst: number;
}

const GREEN = 0;

/**
 * A two-rate marker: color 0 green, 1 yellow, 2 red (RFC 2698, color-blind). Without rates everything is green.
 * The first rate is the committed one, the second the peak.
 */
class MeterBuckets {
  private rates: MeterRate[] = [];
  private tokens: number[] = [];
  private last = 0;

  setRates(rates: MeterRate[]): void {
    this.rates = rates;
    this.tokens = rates.map(({ burst }) => burst);
  }

  /** `now` in nanoseconds. */
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

/** Counts, or meters, for every entry of a table. */
export class DirectCounter {
  private readonly counts = new Map<object, Count>();
  private readonly entries: object[] = [];

  /** An entry was made; its number, as in BMv2, is its place among all that were. */
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
