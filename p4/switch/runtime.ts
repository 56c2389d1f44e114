/* `$rt`: the switch as generated code sees it. */
import type { Program } from '../compiler/ir.ts';
import { BitWriter, readBig, readBits, readBytes, writeBig } from './bits.ts';
import { hash, hashWithin } from './hash.ts';
import type { HashName } from './hash.ts';
import { DirectCounter, DirectMeter } from './objects.ts';
import { PacketIn } from './packet-in.ts';
import { Table } from './tables.ts';
import * as values from './values.ts';

/** What the program asks the switch to do with the packet it is at. */
export interface Requests {
  clone: { session: number; list: number } | undefined;
  resubmit: number | undefined;
  recirculate: number | undefined;
  truncate: number;
}

interface Digest {
  readonly receiver: number;
  readonly data: Uint8Array;
}

/** A claim that did not hold: `assert` and `assume` of v1model. */
export class ClaimFailed extends Error {}

/** The most turns of a program's loops for one packet; more are taken for an endless loop. */
const MAX_TURNS = 1_000_000;

export interface RuntimeOptions {
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number;
  readonly log?: (message: string) => void;
}

/** The most digests that are kept, because in live mode nobody takes them and they would fill the memory. */
const MOST_DIGESTS = 4096;

export class Runtime {
  readonly EXIT = values.EXIT;
  readonly HeaderStack = values.HeaderStack;
  readonly emptyBits = values.emptyBits;
  readonly varbit = values.varbit;
  readonly sameBits = values.sameBits;
  readonly divide = values.divide;
  readonly remainder = values.remainder;
  readonly divideBig = values.divideBig;
  readonly remainderBig = values.remainderBig;
  readonly shiftLeft = values.shiftLeft;
  readonly shiftRight = values.shiftRight;
  readonly shiftLeftBig = values.shiftLeftBig;
  readonly shiftRightBig = values.shiftRightBig;
  readonly saturateBig = values.saturateBig;
  readonly readBits = readBits;
  readonly readBig = readBig;
  readonly readBytes = readBytes;
  readonly writeBig = writeBig;
  readonly hashWithin = hashWithin;

  /** Bytes of the packet at hand, as it was received. */
  packetLength = 0;
  /** Nanoseconds. */
  now = 0;
  requests: Requests = { clone: undefined, resubmit: undefined, recirculate: undefined, truncate: Infinity };
  readonly digests: Digest[] = [];
  readonly errors: Record<string, number> = {};
  readonly packetIn: PacketIn;
  readonly packetOut = new BitWriter();
  readonly bits = new BitWriter();
  readonly objects: ReadonlyMap<number, object>;
  readonly tables = new Map<number, Table>();
  /** Bytes behind the headers of the packet at hand. */
  rest: Uint8Array = new Uint8Array(0);
  standard: { egress_spec: number; mcast_grp: number; checksum_error: number } | undefined;
  private readonly sets = new Map<number, Set<string>>();
  private readonly rejection = new values.Rejection('reject');
  private readonly options: RuntimeOptions;
  private turns = 0;

  constructor(program: Program, objects: ReadonlyMap<number, object>, options: RuntimeOptions) {
    this.options = options;
    this.objects = objects;
    for (const [code, name] of program.errors.entries()) this.errors[name] = code;
    const raise = (name: string) => (): never => {
      throw this.reject(this.errors[name] ?? 0);
    };
    this.packetIn = new PacketIn({
      tooShort: raise('PacketTooShort'),
      headerTooShort: raise('HeaderTooShort'),
      invalid: raise('ParserInvalidArgument'),
    });
    for (const spec of program.tables) {
      const direct = spec.objects.flatMap(({ id }) => {
        const object = this.objects.get(id);
        return object instanceof DirectCounter || object instanceof DirectMeter ? [object] : [];
      });
      this.tables.set(spec.id, new Table(spec, direct));
    }
    for (const { id } of program.valueSets) this.sets.set(id, new Set());
  }

  object(id: number): object | undefined {
    return this.objects.get(id);
  }

  table(id: number): Table | undefined {
    return this.tables.get(id);
  }

  /** Value sets are filled by the control plane. */
  valueSet(id: number): { has(keys: readonly (number | bigint)[]): boolean } {
    const set = this.sets.get(id);
    return { has: (keys) => set?.has(keys.join()) ?? false };
  }

  reject(code: number): values.Rejection {
    this.rejection.code = code;
    return this.rejection;
  }

  /** Out-of-bounds access to a stack ends the parser. */
  readonly stackOutOfBounds = (): never => {
    throw this.reject(this.errors.StackOutOfBounds ?? 0);
  };

  begin(): void {
    this.turns = 0;
    values.HeaderStack.outOfBounds = this.stackOutOfBounds;
  }

  turn(): void {
    if (++this.turns > MAX_TURNS) throw new ClaimFailed('a loop of the program does not end');
  }

  hash(name: HashName, data: BitWriter): bigint {
    return hash(name, data.view());
  }

  random(low: bigint, high: bigint): bigint {
    if (high <= low) return low;
    const span = high - low + 1n;
    let value = 0n;
    for (let left = span; left > 0n; left >>= 32n)
      value = (value << 32n) | BigInt(Math.floor(this.options.random() * 2 ** 32));
    return low + (value % span);
  }

  digest(receiver: number, data: BitWriter): void {
    if (this.digests.length < MOST_DIGESTS) this.digests.push({ receiver, data: data.view().slice() });
  }

  log(message: string, data: readonly unknown[]): void {
    let at = 0;
    this.options.log?.(message.replaceAll('{}', () => String(data[at++])));
  }

  failed(claim: string): void {
    throw new ClaimFailed(claim);
  }

  clone(_type: number, session: number, list: number): void {
    this.requests.clone = { session, list };
  }

  resubmit(list: number): void {
    this.requests.resubmit = list;
  }

  recirculate(list: number): void {
    this.requests.recirculate = list;
  }

  truncate(bytes: number): void {
    this.requests.truncate = bytes;
  }

  drop(): void {
    if (!this.standard) return;
    this.standard.egress_spec = DROP_PORT;
    this.standard.mcast_grp = 0;
  }

  checksumError(): void {
    if (this.standard) this.standard.checksum_error = 1;
  }

  payload(): Uint8Array {
    return this.rest;
  }
}

/** 9 bits of ones: v1model's port for packets that are dropped. */
export const DROP_PORT = 511;
