/* The interface of the switch for generated code, where it is called `$rt`. */
import type { Program } from '../compiler/ir.ts';
import { BitWriter, readBig, readBits, readBytes, writeBig } from './bits.ts';
import { hash, hashWithin } from './hash.ts';
import type { HashName } from './hash.ts';
import { DirectCounter, DirectMeter } from './objects.ts';
import { PacketIn } from './packet-in.ts';
import { Table } from './tables.ts';
import * as values from './values.ts';

/** Actions that the program requests for the current packet. */
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

/** Thrown when a claim is false (v1model's `assert` and `assume`) or a loop does not end. */
export class ClaimFailed extends Error {}

/** The maximum number of loop iterations in one run of a parser or control. More are treated as an endless loop. */
const MAX_ITERATIONS = 1_000_000;

export interface RuntimeOptions {
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  readonly log?: (message: string) => void;
}

/**
 * The maximum number of digests to keep. In live mode nothing reads digests, so without a limit they would fill the
 * memory.
 */
const MAX_DIGESTS = 4096;

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

  /** Length of the current packet in bytes, as received. */
  packetLength = 0;
  /** The current time in nanoseconds. */
  now = 0;
  requests: Requests = { clone: undefined, resubmit: undefined, recirculate: undefined, truncate: Infinity };
  readonly digests: Digest[] = [];
  readonly errors: Record<string, number> = {};
  readonly packetIn: PacketIn;
  readonly packetOut = new BitWriter();
  readonly bits = new BitWriter();
  readonly objects: ReadonlyMap<number, object>;
  readonly tables = new Map<number, Table>();
  /** Payload of the current packet: the bytes after the parsed headers. */
  rest: Uint8Array = new Uint8Array(0);
  standard: { egress_spec: number; mcast_grp: number; checksum_error: number } | undefined;
  private readonly sets = new Map<number, Set<string>>();
  private readonly rejection = new values.Rejection('reject');
  private readonly options: RuntimeOptions;
  private iterations = 0;

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

  /** Returns a value set, which is empty: this switch's control plane cannot add members. */
  valueSet(id: number): { has(keys: readonly (number | bigint)[]): boolean } {
    const set = this.sets.get(id);
    return { has: (keys) => set?.has(keys.join()) ?? false };
  }

  reject(code: number): values.Rejection {
    this.rejection.code = code;
    return this.rejection;
  }

  /** Rejects the packet, because the parser accessed a header stack out of bounds. */
  readonly stackOutOfBounds = (): never => {
    throw this.reject(this.errors.StackOutOfBounds ?? 0);
  };

  begin(): void {
    this.iterations = 0;
    values.HeaderStack.outOfBounds = this.stackOutOfBounds;
  }

  turn(): void {
    if (++this.iterations > MAX_ITERATIONS) throw new ClaimFailed('a loop of the program does not end');
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
    if (this.digests.length < MAX_DIGESTS) this.digests.push({ receiver, data: data.view().slice() });
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

/** v1model's port for dropped packets: nine one bits. */
export const DROP_PORT = 511;
