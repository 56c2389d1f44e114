import type { KeyMatch, Table as TableSpec, TableAction, TableCall } from '../compiler/ir.ts';
import { valueConverter } from '../compiler/generate/representation.ts';
import { DirectCounter } from './objects.ts';
import type { DirectMeter } from './objects.ts';

export type Key = number | bigint;

/** A table entry, as a lookup returns it to generated code. */
export class Entry {
  readonly hit: boolean;
  readonly action: number;
  /** The action's data in the representation of generated code. */
  readonly data: readonly (number | bigint | boolean)[];
  private readonly tests: readonly KeyTest[];
  /** If several entries match, the one with the lowest rank applies. */
  readonly rank: number;
  private readonly table: Table;

  constructor(table: Table, hit: boolean, call: TableCall, keys: readonly KeyMatch[], rank: number) {
    this.table = table;
    this.hit = hit;
    this.action = call.action;
    this.data = table.convertArguments(call);
    const matched = table.spec.keys.filter(({ match }) => match !== 'selector');
    this.tests = keys.map((key, at) => keyTest(key, matched[at]?.width ?? 0));
    this.rank = rank;
  }

  matches(keys: readonly Key[]): boolean {
    const { tests } = this;
    for (let at = 0; at < tests.length; at++) if (!tests[at]?.(keys[at] as never)) return false;
    return true;
  }

  used(bytes: number): void {
    if (this.hit) this.table.count(this, bytes);
  }
}

/** The rank of priority 0. The entry with the highest priority has the lowest rank, as in BMv2. */
const RANK_BASE = 10_000;

/** One table with its entries (P4_16 §14.2). */
export class Table {
  readonly spec: TableSpec;
  private readonly entries: Entry[] = [];
  private readonly exact = new Map<Key | string, Entry>();
  private readonly onlyExact: boolean;
  private fallback: Entry;
  private readonly direct: (DirectCounter | DirectMeter)[];

  constructor(spec: TableSpec, direct: (DirectCounter | DirectMeter)[]) {
    this.spec = spec;
    this.direct = direct;
    this.onlyExact =
      spec.keys.length > 0 && spec.keys.every(({ match }) => match === 'exact' || match === 'selector');
    this.fallback = new Entry(this, false, spec.defaultCall, [], 0);
    for (const { keys, call, priority } of spec.entries) {
      const given = spec.largestPriorityWins ? (priority ?? 0) : RANK_BASE - (priority ?? 0);
      this.insert(keys, call, given);
    }
  }

  get size(): number {
    return this.onlyExact ? this.exact.size : this.entries.length;
  }

  /** Adds an entry for the control plane. Throws a one-line Error if the entry is invalid. */
  add(keys: readonly KeyMatch[], call: TableCall, priority: number): Entry {
    const { spec } = this;
    if (spec.constantEntries) throw new Error(`the entries of the table ${spec.name} are const`);
    if (spec.size !== undefined && this.size >= spec.size)
      throw new Error(`the table ${spec.name} is full (${spec.size} entries)`);
    this.requireAction(call.action, 'defaultOnly');
    if (this.onlyExact && this.exact.has(exactKey(this.spec, keys)))
      throw new Error(`the table ${spec.name} already has an entry with these keys`);
    return this.insert(keys, call, priority);
  }

  setDefault(call: TableCall): void {
    if (this.spec.constantDefault)
      throw new Error(`the default action of the table ${this.spec.name} is const`);
    this.requireAction(call.action, 'tableOnly');
    this.fallback = new Entry(this, false, call, [], 0);
  }

  clear(): void {
    if (this.spec.constantEntries) throw new Error(`the entries of the table ${this.spec.name} are const`);
    this.entries.length = 0;
    this.exact.clear();
  }

  lookup(...keys: Key[]): Entry {
    if (this.onlyExact) {
      const [only] = keys;
      const key = keys.length === 1 && only !== undefined ? only : keys.join();
      return this.exact.get(key) ?? this.fallback;
    }
    for (const entry of this.entries) if (entry.matches(keys)) return entry;
    return this.fallback;
  }

  count(entry: Entry, bytes: number): void {
    for (const object of this.direct) object.hit(entry, bytes);
  }

  convertArguments({ action, args }: TableCall): (number | bigint | boolean)[] {
    const data = this.spec.actions[action]?.data ?? [];
    return data.map(({ variable }, at) => {
      const convert = valueConverter(variable.type);
      if (!convert)
        throw new Error(`the data '${variable.name}' of an action in ${this.spec.name} must be a number`);
      return convert(args[at] ?? 0n);
    });
  }

  private requireAction(action: number, flag: 'defaultOnly' | 'tableOnly'): void {
    const found: TableAction | undefined = this.spec.actions[action];
    if (found?.[flag])
      throw new Error(`the action ${found.name} of ${this.spec.name} is ${flag.toLowerCase()}`);
  }

  private insert(keys: readonly KeyMatch[], call: TableCall, priority: number): Entry {
    const lpm = this.spec.keys.findIndex(({ match }) => match === 'lpm');
    const width = this.spec.keys[lpm]?.width ?? 0;
    // If a table has ternary, range or optional keys, the priority decides. If it has only an lpm key, the longest
    // prefix wins (P4_16 §14.2.1.4).
    const ordered = this.spec.keys.some(
      ({ match }) => match === 'ternary' || match === 'range' || match === 'optional',
    );
    const rank = lpm >= 0 && !ordered ? width - prefixLength(keys[lpm], width) : RANK_BASE - priority;
    const entry = new Entry(this, true, call, keys, rank);
    for (const object of this.direct) if (object instanceof DirectCounter) object.enter(entry);
    if (this.onlyExact) {
      if (!this.exact.has(exactKey(this.spec, keys))) this.exact.set(exactKey(this.spec, keys), entry);
      return entry;
    }
    const after = this.entries.findIndex((other) => other.rank > rank);
    this.entries.splice(after < 0 ? this.entries.length : after, 0, entry);
    return entry;
  }
}

/**
 * Builds the same map key as `lookup`: a number (up to 32 bits) or a BigInt for one key, and a string that joins the
 * values for several keys. In the string, numbers and BigInts look the same.
 */
function exactKey(spec: TableSpec, keys: readonly KeyMatch[]): Key | string {
  const values = keys.map((key) => (key.kind === 'value' ? key.value : 0n));
  const [only] = values;
  if (values.length !== 1 || only === undefined) return values.join();
  return (spec.keys[0]?.width ?? 0) <= 32 ? Number(only) : only;
}

function prefixLength(key: KeyMatch | undefined, width: number): number {
  if (!key || key.kind === 'any') return 0;
  if (key.kind !== 'mask') return width;
  return key.mask.toString(2).replaceAll('0', '').length;
}

type KeyTest = (key: never) => boolean;

/** Returns the test of a key. As in `lookup`, the key's value is a number up to 32 bits and a BigInt above. */
function keyTest(match: KeyMatch, width: number): KeyTest {
  if (match.kind === 'any') return () => true;
  if (width > 32) {
    switch (match.kind) {
      case 'value':
        return (key: bigint) => key === match.value;
      case 'mask': {
        const value = match.value & match.mask;
        return (key: bigint) => (key & match.mask) === value;
      }
      case 'range':
        return (key: bigint) => key >= match.low && key <= match.high;
    }
  }
  switch (match.kind) {
    case 'value': {
      const value = Number(match.value);
      return (key: number) => key === value;
    }
    case 'mask': {
      const mask = Number(match.mask);
      const value = Number(match.value) & mask;
      return (key: number) => (key & mask) === value;
    }
    case 'range': {
      const [low, high] = [Number(match.low), Number(match.high)];
      return (key: number) => key >= low && key <= high;
    }
  }
}
