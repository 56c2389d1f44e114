/* P4 values and operators that JavaScript does not have, for generated programs. */

/** Thrown by `exit` and caught at the end of the block (P4_16 §12.5). */
export const EXIT = new (class Exit extends Error {})('exit');

/** Thrown when a parser transitions to reject. */
export class Rejection extends Error {
  code = 0;
}

/** A value of `varbit<N>`: its current length in bits, and its bits as one number. */
interface Varbit {
  readonly bits: number;
  readonly value: bigint;
}

export const emptyBits: Varbit = { bits: 0, value: 0n };
export const varbit = (bits: number, value: bigint): Varbit => ({ bits, value });
export const sameBits = (a: Varbit, b: Varbit): boolean => a.bits === b.bits && a.value === b.value;

/** Division. P4 does not define division by zero; here the result is 0, so that it cannot stop the switch. */
export const divide = (a: number, b: number): number => (b === 0 ? 0 : Math.floor(a / b));
export const remainder = (a: number, b: number): number => (b === 0 ? 0 : a % b);
export const divideBig = (a: bigint, b: bigint): bigint => (b === 0n ? 0n : a / b);
export const remainderBig = (a: bigint, b: bigint): bigint => (b === 0n ? 0n : a % b);

export const shiftLeft = (a: number, by: number): number => (by < 32 ? a << by : 0);
export const shiftRight = (a: number, by: number): number => (by < 32 ? a >>> by : 0);
export const shiftLeftBig = (a: bigint, by: number, width: number): bigint =>
  by < width ? a << BigInt(by) : 0n;
export function shiftRightBig(a: bigint, by: number, width: number): bigint {
  if (by < width) return a >> BigInt(by);
  return a < 0n ? -1n : 0n;
}

/** Clamps a value to the range of its type, for `|+|` and `|-|` (P4_16 §8.7). */
export function saturateBig(value: bigint, width: number, signed: boolean): bigint {
  const most = (1n << BigInt(signed ? width - 1 : width)) - 1n;
  const least = signed ? -most - 1n : 0n;
  return value > most ? most : value < least ? least : value;
}

interface HeaderLike {
  $valid: boolean;
  $set(that: HeaderLike): HeaderLike;
  $reset(): HeaderLike;
  $eq(that: HeaderLike): boolean;
}

/** A header stack (P4_16 §8.19). */
export class HeaderStack {
  private readonly make: () => HeaderLike;
  private readonly items: HeaderLike[];
  private nextIndex = 0;
  /** Called when a parser accesses an element outside the stack. The switch sets this function. */
  static outOfBounds: () => never = () => {
    throw new Error('a header stack is out of bounds');
  };

  constructor(make: () => HeaderLike, size: number) {
    this.make = make;
    this.items = Array.from({ length: size }, make);
  }

  /**
   * Returns the header at an index. Out of bounds, it is an invalid header whose changes have no effect (P4_16 §8.26).
   */
  $at(index: number): HeaderLike {
    return this.items[index] ?? this.make();
  }

  $next(): HeaderLike {
    return this.items[this.nextIndex] ?? HeaderStack.outOfBounds();
  }

  $last(): HeaderLike {
    return this.items[this.nextIndex - 1] ?? HeaderStack.outOfBounds();
  }

  $lastIndex(): number {
    return (this.nextIndex - 1) >>> 0;
  }

  $advance(): void {
    this.nextIndex++;
  }

  $pushFront(count: number): void {
    const { items } = this;
    for (let at = items.length - 1; at >= 0; at--) {
      const from = items[at - count];
      if (from) items[at]?.$set(from);
      else items[at]?.$reset();
    }
    this.nextIndex = Math.min(items.length, this.nextIndex + count);
  }

  $popFront(count: number): void {
    const { items } = this;
    for (const [at, item] of items.entries()) {
      const from = items[at + count];
      if (from) item.$set(from);
      else item.$reset();
    }
    this.nextIndex = Math.max(0, this.nextIndex - count);
  }

  $set(that: HeaderStack): this {
    for (const [at, item] of this.items.entries()) item.$set(that.$at(at));
    this.nextIndex = that.nextIndex;
    return this;
  }

  $copy(): HeaderStack {
    return new HeaderStack(this.make, this.items.length).$set(this);
  }

  $reset(): this {
    for (const item of this.items) item.$reset();
    this.nextIndex = 0;
    return this;
  }

  $eq(that: HeaderStack): boolean {
    return this.items.every((item, at) => item.$eq(that.$at(at)));
  }
}
