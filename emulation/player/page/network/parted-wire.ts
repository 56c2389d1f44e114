import { paceKeys, putRtp } from '../../../../src/host/cmcd.ts';
import { kbps, type Kbps } from '../../../../src/units.ts';
import { FLOOR_KEY } from '../../../../src/wire/rtp.ts';
import { splitMembers } from '../../../../src/wire/structured-field.ts';
import type { PageClock } from '../clocks/page-clock.ts';
import type { Body, Head, Listener, Wire, WireRequest } from './wire.ts';

/**
 * How a player answers congestion within a segment where the server only paces: by requests for parts of it, each with a pace
 * of its own (the thesis behind Sammy, §6.3.1, the second and the fourth way).
 */
export interface Parting {
  /** Of a part at most; Infinity for all that is missing. */
  readonly part_bytes: number;
  /** How much longer than at its pace a part may take before it is late, ms. */
  readonly slack_ms: (expected_ms: number) => number;
  /** Whether a part that is late is canceled, and what is missing of it asked for anew. */
  readonly cancels: boolean;
}

/** By their names in an arm. */
export const PARTINGS = {
  /** Cancel a request that takes a quarter longer than at its pace, and ask for the remaining bytes more slowly. */
  'ask-again': { part_bytes: Infinity, slack_ms: (expected_ms) => expected_ms / 4, cancels: true },
  /** Requests of ten packets. 5 ms of queue are what the edge that yields leaves, too (edge/local/kernel/bpf/yield.c). */
  'tiny-requests': { part_bytes: 14_600, slack_ms: () => 5, cancels: false },
} as const satisfies Readonly<Record<string, Parting>>;

/** After a part that is late, the share of its pace that the next one has; and by which share of the segment's it rises else. */
const FALL = 0.5;
const RISE = 1 / 8;
const [OK, PARTIAL] = [200, 206];

/** A wire over which what the plug-in paces, and says a floor of, arrives in parts. */
export class PartedWire implements Wire {
  readonly #wire: Wire;
  readonly #clock: PageClock;
  readonly #parting: Parting;
  /** The least that a part has taken beyond what its pace explains: a round trip and the server. */
  #overhead_ms = Infinity;

  constructor(wire: Wire, clock: PageClock, parting: Parting) {
    this.#wire = wire;
    this.#clock = clock;
    this.#parting = parting;
  }

  ask(asked: WireRequest, listener: Listener): () => void {
    const rates = ratesOf(asked);
    if (!rates || asked.method !== 'GET' || asked.headers.has('range'))
      return this.#wire.ask(asked, listener);
    const parts: Part[] = [];
    let [rate, arrived, total] = [rates.pace, 0, Infinity];
    let cancel = (): void => undefined;

    const next = (): void => {
      const from = arrived;
      const wanted = Math.min(this.#parting.part_bytes, total - from);
      const began_ms = this.#clock.now_ms;
      /** Where the response begins in the whole: before `from` where a server sends the whole again, which has no parts. */
      let start = from;
      let forgetTimer = (): void => undefined;
      /** Whether the part took longer than it should; what is next goes by that. */
      const judge = (): void => {
        const atPace_ms = ((arrived - start) * 8) / rate;
        const took_ms = this.#clock.now_ms - began_ms;
        this.#overhead_ms = Math.min(this.#overhead_ms, Math.max(0, took_ms - atPace_ms));
        const isLate = took_ms > atPace_ms + this.#overhead_ms + this.#parting.slack_ms(atPace_ms);
        const wish = isLate ? FALL * rate : rate + RISE * rates.pace;
        rate = kbps(Math.min(rates.pace, Math.max(rates.floor, wish)));
      };
      const cancelWhenLate = (): void => {
        if (!this.#parting.cancels || rate <= rates.floor || total === Infinity || start < from) return;
        const expected_ms = ((total - from) * 8) / rate;
        forgetTimer = this.#clock.at(
          this.#clock.now_ms + expected_ms + this.#parting.slack_ms(expected_ms),
          () => {
            if (arrived >= total) return;
            giveUp();
            rate = kbps(Math.max(rates.floor, FALL * rate));
            next();
          },
        );
      };
      const arrivedWith = (bytes: number): number =>
        (arrived = Math.min(total, Math.max(from, start + bytes)));
      const giveUp = this.#wire.ask(partOf(asked, rate, from, wanted), {
        begins: (head, body) => {
          const isFirst = parts.length === 0;
          const isError = head.status !== OK && head.status !== PARTIAL;
          const place = isFirst && isError ? { start: 0, size: total } : placeOf(head, from, total);
          if (!place) {
            cancel();
            listener.failed();
            return;
          }
          ({ start, size: total } = place);
          parts.push({ body, from, start });
          cancelWhenLate();
          if (isFirst) listener.begins(wholeHead(head, total), bodyOf(parts));
        },
        arrived: (bytes) => listener.arrived(arrivedWith(bytes)),
        ended: (bytes) => {
          forgetTimer();
          arrivedWith(bytes);
          judge();
          if (arrived === total || total === Infinity) listener.ended(arrived);
          else if (arrived > from) next();
          else listener.failed();
        },
        failed: () => {
          forgetTimer();
          listener.failed();
        },
      });
      cancel = () => {
        forgetTimer();
        giveUp();
      };
    };
    next();
    return () => cancel();
  }
}

interface Part {
  readonly body: Body;
  /** Where in the whole it is used from, until the next one is. */
  readonly from: number;
  /** Where in the whole it begins; not after `from`. */
  readonly start: number;
}

/** The pace and the floor that a request of the plug-in has; undefined without both. */
function ratesOf({ url, headers }: WireRequest): { readonly pace: Kbps; readonly floor: Kbps } | undefined {
  const texts = [new URL(url).searchParams.get('CMCD') ?? '', ...headers.values()];
  const members = texts.flatMap((text) => splitMembers(text));
  const rateOf = (key: string) =>
    Number(members.find((member) => member.startsWith(`${key}=`))?.slice(key.length + 1));
  const [pace, floor] = [rateOf('rtp'), rateOf(FLOOR_KEY)];
  return pace > 0 && floor > 0 ? { pace: kbps(pace), floor: kbps(floor) } : undefined;
}

/** The request for a part, at a pace of its own and without a floor: nothing else is to yield. */
function partOf(asked: WireRequest, rate: Kbps, from: number, bytes: number): WireRequest {
  const carrier = { url: asked.url, headers: Object.fromEntries(asked.headers) };
  putRtp(carrier, paceKeys(rate, null), 'query');
  const headers = new Map(
    Object.entries(carrier.headers).map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  if (Number.isFinite(bytes)) headers.set('range', `bytes=${from}-${from + bytes - 1}`);
  return { ...asked, url: carrier.url, headers };
}

/**
 * Where in the whole a response to a request from `from` on begins, and the size of the whole, Infinity where nobody says it (RFC
 * 9110 §14.4). Undefined where the response does not continue what is there, of which `total` is the size.
 */
function placeOf({ status, headers, size_bytes }: Head, from: number, total: number) {
  const [, first, size = '*'] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
  const whole = { start: 0, size: size_bytes ?? total };
  const part = { start: Number(first), size: size === '*' ? total : Number(size) };
  const place = status === OK ? whole : status === PARTIAL ? part : undefined;
  if (!place || !(place.start <= from)) return undefined;
  const isSame = total === Infinity ? place === whole || place.size < Infinity : place.size === total;
  return isSame ? place : undefined;
}

function wholeHead(head: Head, size_bytes: number): Head {
  if (head.status !== PARTIAL) return head;
  const headers = new Map(head.headers).set('content-length', String(size_bytes));
  headers.delete('content-range');
  return { ...head, status: OK, statusText: 'OK', headers, size_bytes };
}

/** The parts as one: each goes to where the next one begins. */
const bodyOf = (parts: readonly Part[]): Body => ({
  write: (into, from) => {
    parts.forEach(({ body, from: used, start }, at) => {
      const ends = parts[at + 1]?.from ?? Infinity;
      const [first, last] = [Math.max(from, used), Math.min(from + into.length, ends)];
      if (first < last) body.write(into.subarray(first - from, last - from), first - start);
    });
  },
});
