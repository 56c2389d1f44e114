import { paceKeys, putRtp } from '../../../../src/host/cmcd.ts';
import { kbps, type Kbps } from '../../../../src/units.ts';
import { FLOOR_KEY } from '../../../../src/wire/rtp.ts';
import { splitMembers } from '../../../../src/wire/structured-field.ts';
import type { PageClock } from '../clocks/page-clock.ts';
import type { Body, Head, Listener, Wire, WireRequest } from './wire.ts';

/**
 * A player's response to congestion within a segment if the server only paces: requests for parts of the segment, each
 * with its own pace (the thesis behind Sammy, §6.3.1, the second and the fourth option).
 */
export interface Parting {
  /** The maximum size of a part; Infinity for all remaining bytes. */
  readonly part_bytes: number;
  /** The tolerated delay of a part, ms. `expected_ms` is the part's duration at its pace. */
  readonly slack_ms: (expected_ms: number) => number;
  /** Whether a late part is canceled, and its remaining bytes are requested again. */
  readonly cancels: boolean;
}

/** The ways of parting a segment, by their names in an arm. */
export const PARTINGS = {
  /**
   * Cancels a request that takes a quarter longer than expected at its pace, and requests the remaining bytes more
   * slowly.
   */
  'ask-again': { part_bytes: Infinity, slack_ms: (expected_ms) => expected_ms / 4, cancels: true },
  /**
   * Requests ten packets at a time. The tolerance of 5 ms is the queueing delay that a yielding edge leaves
   * (edge/local/kernel/bpf/yield.c).
   */
  'tiny-requests': { part_bytes: 14_600, slack_ms: () => 5, cancels: false },
} as const satisfies Readonly<Record<string, Parting>>;

/** The factor for the pace after a late part. */
const FALL = 0.5;
/** The increase of the pace after any other part, as a share of the segment's pace. */
const RISE = 1 / 8;
const [OK, PARTIAL] = [200, 206];

/** A wire that requests a response in parts if the plug-in has set a pace and a floor. */
export class PartedWire implements Wire {
  readonly #wire: Wire;
  readonly #clock: PageClock;
  readonly #parting: Parting;
  /**
   * The lowest observed difference between a part's time and its duration at its pace: a round trip and the server's
   * time.
   */
  #overhead_ms = Infinity;

  constructor(wire: Wire, clock: PageClock, parting: Parting) {
    this.#wire = wire;
    this.#clock = clock;
    this.#parting = parting;
  }

  ask(asked: WireRequest, listener: Listener): () => void {
    const rates = parseRates(asked);
    if (!rates || asked.method !== 'GET' || asked.headers.has('range'))
      return this.#wire.ask(asked, listener);
    const parts: Part[] = [];
    let [rate, arrived, total] = [rates.pace, 0, Infinity];
    let cancel = (): void => undefined;

    const next = (): void => {
      const from = arrived;
      const wanted = Math.min(this.#parting.part_bytes, total - from);
      const began_ms = this.#clock.now_ms;
      /**
       * The position of the response in the complete file. It is before `from` if the server does not support range
       * requests, and sends the complete file again.
       */
      let start = from;
      let forgetTimer = (): void => undefined;
      /** Adjusts the pace of the next part, depending on whether this part was late. */
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
      const giveUp = this.#wire.ask(makePartRequest(asked, rate, from, wanted), {
        began: (head, body) => {
          const isFirst = parts.length === 0;
          const isError = head.status !== OK && head.status !== PARTIAL;
          const place = isFirst && isError ? { start: 0, size: total } : findPosition(head, from, total);
          if (!place) {
            cancel();
            listener.failed();
            return;
          }
          ({ start, size: total } = place);
          parts.push({ body, from, start });
          cancelWhenLate();
          if (isFirst) listener.began(wholeHead(head, total), joinParts(parts));
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
  /** The position in the complete file from which this part is used, up to the position of the next part. */
  readonly from: number;
  /** The position of the part's first byte in the complete file, at or before `from`. */
  readonly start: number;
}

/** Reads the pace and the floor from a request of the plug-in; undefined if one of them is missing. */
function parseRates({
  url,
  headers,
}: WireRequest): { readonly pace: Kbps; readonly floor: Kbps } | undefined {
  const texts = [new URL(url).searchParams.get('CMCD') ?? '', ...headers.values()];
  const members = texts.flatMap((text) => splitMembers(text));
  const parseRate = (key: string) =>
    Number(members.find((member) => member.startsWith(`${key}=`))?.slice(key.length + 1));
  const [pace, floor] = [parseRate('rtp'), parseRate(FLOOR_KEY)];
  return pace > 0 && floor > 0 ? { pace: kbps(pace), floor: kbps(floor) } : undefined;
}

/**
 * Makes the request for a part, with its own pace and without a floor. Without a floor, the edge does not yield in
 * addition to the player.
 */
function makePartRequest(asked: WireRequest, rate: Kbps, from: number, bytes: number): WireRequest {
  const carrier = { url: asked.url, headers: Object.fromEntries(asked.headers) };
  putRtp(carrier, paceKeys(rate, null), 'query');
  const headers = new Map(
    Object.entries(carrier.headers).map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  if (Number.isFinite(bytes)) headers.set('range', `bytes=${from}-${from + bytes - 1}`);
  return { ...asked, url: carrier.url, headers };
}

/**
 * The position in the complete file of the response to a request for the bytes from `from` on, and the file's size,
 * which is Infinity if unknown (RFC 9110 §14.4). Undefined if the response does not continue the earlier parts, whose
 * file has `total` bytes.
 */
function findPosition({ status, headers, size_bytes }: Head, from: number, total: number) {
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

/** Joins the parts. Each part is used up to the start of the next one. */
const joinParts = (parts: readonly Part[]): Body => ({
  write: (into, from) => {
    parts.forEach(({ body, from: used, start }, at) => {
      const ends = parts[at + 1]?.from ?? Infinity;
      const [first, last] = [Math.max(from, used), Math.min(from + into.length, ends)];
      if (first < last) body.write(into.subarray(first - from, last - from), first - start);
    });
  },
});
