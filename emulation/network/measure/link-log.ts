import { createReadStream } from 'node:fs';
import { Fifo } from '../../../p4/switch/link/fifo.ts';

/**
 * Reads mm-link's `--downlink-log` (mahimahi's link_queue.cc). A header gives the start in epoch ms, and times count
 * from there. Each further line is an event, in order of time:
 *
 *     63 + 1432        a packet of 1432 bytes arrived, whether or not the queue accepted the packet
 *     65 # 1504        a delivery opportunity, used or not
 *     65 - 1432 2      a packet left after 2 ms, at the opportunity before this line
 *
 * mahimahi 0.98 does not log drops. But the queue is first in, first out: a departure names its packet's arrival time
 * and size, so earlier arrivals that have not left were dropped. An opportunity at which nothing leaves found the queue
 * empty, so everything that had arrived earlier was dropped.
 *
 * Departure times are computed from the trace, not taken from a clock: the calibration shows a machine that is too
 * slow, but this log does not.
 */
export interface LinkLogOptions {
  /** The time at which `t_s` is 0, epoch ms. */
  readonly origin_ms: number;
  /** The end of rows and totals, epoch ms. */
  readonly until_ms: number;
  /** The start of the totals, epoch ms; the origin by default. */
  readonly from_ms?: number;
}

/** A row of link.csv: 100 ms of the link. */
export interface LinkRow {
  readonly t_s: number;
  readonly departed_bytes: number;
  /** Dropped packets, counted in the row in which they arrived. */
  readonly dropped_packets: number;
  /** The mean over the packets that departed in this row; null without any. */
  readonly queue_delay_ms: number | null;
  /** The bytes in the queue at the end of the row. */
  readonly queue_bytes: number;
}

export interface LinkTotals {
  /** The mean queueing delay of the departed packets; null without any. */
  readonly queue_delay_mean_ms: number | null;
  /** The 95th percentile of this delay. */
  readonly queue_delay_p95_ms: number | null;
  readonly arrived_packets: number;
  readonly departed_packets: number;
  /** The packets that arrived and were dropped. */
  readonly dropped_packets: number;
  readonly departed_bytes: number;
  /** The bytes that the link could have carried. */
  readonly offered_bytes: number;
}

export interface LinkLog {
  readonly rows: readonly LinkRow[];
  /** The totals from `from_ms` to `until_ms`. */
  readonly totals: LinkTotals;
  /** The position in the link's trace at the origin, ms; undefined if the link has no trace. */
  readonly traceAt_ms?: number;
}

const ROW_MS = 100;
const PLUS = 43;
const MINUS = 45;
const HASH = 35;
/**
 * The character code of `d`. Later versions of mahimahi log a drop as `63 d 1 1432`. These lines are ignored, because
 * drops are computed from the queue's order.
 */
const DROP = 100;

/** Reads a log. Throws an Error of one line if it is not a log of mm-link. */
export async function readLinkLog(file: string, options: LinkLogOptions): Promise<LinkLog> {
  const reader = new LinkLogReader(file, options);
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: 1 << 18 })) {
    const text: string = rest + String(chunk);
    const end = text.lastIndexOf('\n') + 1;
    reader.read(text.slice(0, end));
    rest = text.slice(end);
  }
  // The last line is ignored if it was cut off when the shell ended.
  return reader.finish();
}

class LinkLogReader {
  readonly #file: string;
  readonly #until_ms: number;
  readonly #from_ms: number;
  readonly #origin_ms: number;
  /** Epoch ms of the log's time 0. */
  #init_ms: number | undefined;
  /** The start of the trace, in the log's time. */
  #base_ms: number | undefined;
  #line = 0;
  readonly #queue = new Fifo<Arrival>();
  /** Whether no packet has left at the latest opportunity so far. */
  #idle = false;

  readonly #departedBytes: Float64Array;
  readonly #departedPackets: Float64Array;
  readonly #delays: Float64Array;
  readonly #dropped: Float64Array;
  /** The change of the queued bytes in each row. Packets that arrived before the first row count in the first row. */
  readonly #queuedChange: Float64Array;
  /** The number of packets in the totals by their delay in ms. */
  readonly #byDelay: number[] = [];
  readonly #totals = { arrived: 0, departed: 0, dropped: 0, departedBytes: 0, offeredBytes: 0 };

  constructor(file: string, { origin_ms, until_ms, from_ms = origin_ms }: LinkLogOptions) {
    this.#file = file;
    this.#origin_ms = origin_ms;
    this.#until_ms = until_ms;
    this.#from_ms = from_ms;
    const rows = Math.max(0, Math.ceil((until_ms - origin_ms) / ROW_MS));
    this.#departedBytes = new Float64Array(rows);
    this.#departedPackets = new Float64Array(rows);
    this.#delays = new Float64Array(rows);
    this.#dropped = new Float64Array(rows);
    this.#queuedChange = new Float64Array(rows);
  }

  read(text: string): void {
    let start = 0;
    while (start < text.length) {
      const end = text.indexOf('\n', start);
      this.#line += 1;
      if (text.charCodeAt(start) === HASH) this.#header(text.slice(start, end));
      else this.#event(text, start, end);
      start = end + 1;
    }
  }

  finish(): LinkLog {
    if (this.#init_ms === undefined)
      throw new Error(`${this.#file} is not a log of mm-link: it has no init timestamp`);
    if (this.#idle) this.#dropBefore(Infinity);
    // Packets that remain in the queue at the end were not dropped.
    for (let left = this.#queue.shift(); left; left = this.#queue.shift())
      this.#changeQueued(left.time + this.#init_ms, left.size);
    const traceAt_ms =
      this.#base_ms === undefined ? undefined : this.#origin_ms - this.#init_ms - this.#base_ms;
    return {
      rows: this.#rows(),
      totals: this.#summary(),
      ...(traceAt_ms !== undefined && { traceAt_ms }),
    };
  }

  #refuse(expected: string): never {
    throw new Error(`${this.#file}, line ${this.#line}: expected ${expected}`);
  }

  #header(line: string): void {
    const [, kind, value] = /^# (init|base) timestamp: (\d{1,15})$/.exec(line) ?? [];
    if (kind === 'init') this.#init_ms = Number(value);
    if (kind === 'base') this.#base_ms = Number(value);
  }

  #event(text: string, start: number, end: number): void {
    if (this.#init_ms === undefined) this.#refuse("mm-link's header with the init timestamp before events");
    const space = text.indexOf(' ', start);
    const kind = text.charCodeAt(space + 1);
    const time = this.#number(text, start, space);
    const second = text.indexOf(' ', space + 3);
    const hasDelay = second >= 0 && second < end;
    const size = this.#number(text, space + 3, hasDelay ? second : end);
    if (kind === PLUS && !hasDelay) this.#arrival(time, size);
    else if (kind === HASH && !hasDelay) this.#opportunity(time, size);
    else if (kind === MINUS && hasDelay) this.#departure(time, size, this.#number(text, second + 1, end));
    else if (kind !== DROP)
      this.#refuse('an event of mm-link: TIME + BYTES, TIME # BYTES, or TIME - BYTES DELAY');
  }

  #number(text: string, start: number, end: number): number {
    if (end <= start) this.#refuse('a number');
    let value = 0;
    for (let index = start; index < end; index += 1) {
      const digit = text.charCodeAt(index) - 48;
      if (digit < 0 || digit > 9)
        this.#refuse(`a number instead of ${JSON.stringify(text.slice(start, end))}`);
      value = value * 10 + digit;
    }
    return value;
  }

  #arrival(time: number, size: number): void {
    if (this.#idle) this.#dropBefore(Infinity);
    this.#idle = false;
    this.#queue.push({ time, size });
    if (this.#counts(time)) this.#totals.arrived += 1;
  }

  #opportunity(time: number, size: number): void {
    if (this.#idle) this.#dropBefore(Infinity);
    this.#idle = true;
    if (this.#counts(time)) this.#totals.offeredBytes += size;
  }

  #departure(time: number, size: number, delay: number): void {
    this.#idle = false;
    const arrived = time - delay;
    this.#dropBefore(arrived);
    // If several packets arrived in the same ms, those of another size than the departed packet were dropped.
    let head = this.#queue.shift();
    while (head && head.size !== size && head.time === arrived) {
      this.#drop(head.time);
      head = this.#queue.shift();
    }
    if (head?.time !== arrived) this.#refuse(`a departure of a packet that had arrived at ${arrived}`);
    const epoch_ms = (this.#init_ms ?? 0) + time;
    this.#changeQueued(epoch_ms - delay, size);
    this.#changeQueued(epoch_ms, -size);
    const row = this.#row(epoch_ms);
    if (row >= 0 && row < this.#departedBytes.length) {
      add(this.#departedBytes, row, size);
      add(this.#departedPackets, row, 1);
      add(this.#delays, row, delay);
    }
    if (!this.#counts(time)) return;
    this.#totals.departed += 1;
    this.#totals.departedBytes += size;
    this.#byDelay[delay] = (this.#byDelay[delay] ?? 0) + 1;
  }

  /** Counts all packets in the queue that arrived before this time as dropped. */
  #dropBefore(time: number): void {
    for (let first = this.#queue.first; first && first.time < time; first = this.#queue.first) {
      this.#drop(first.time);
      this.#queue.shift();
    }
  }

  #drop(time: number): void {
    const row = this.#row((this.#init_ms ?? 0) + time);
    if (row >= 0 && row < this.#dropped.length) add(this.#dropped, row, 1);
    if (this.#counts(time)) this.#totals.dropped += 1;
  }

  #changeQueued(epoch_ms: number, size: number): void {
    const row = Math.max(0, this.#row(epoch_ms));
    if (row < this.#queuedChange.length) add(this.#queuedChange, row, size);
  }

  #counts(time: number): boolean {
    const epoch_ms = (this.#init_ms ?? 0) + time;
    return epoch_ms >= this.#from_ms && epoch_ms < this.#until_ms;
  }

  #row(epoch_ms: number): number {
    return Math.floor((epoch_ms - this.#origin_ms) / ROW_MS);
  }

  #rows(): LinkRow[] {
    let queued = 0;
    return Array.from(this.#departedBytes, (departed_bytes, row) => {
      queued += this.#queuedChange[row] ?? 0;
      const packets = this.#departedPackets[row] ?? 0;
      return {
        t_s: (row * ROW_MS) / 1000,
        departed_bytes,
        dropped_packets: this.#dropped[row] ?? 0,
        queue_delay_ms: packets === 0 ? null : (this.#delays[row] ?? 0) / packets,
        queue_bytes: queued,
      };
    });
  }

  #summary(): LinkTotals {
    const { arrived, departed, dropped, departedBytes, offeredBytes } = this.#totals;
    const delays = this.#byDelay.reduce((sum, packets, delay) => sum + packets * delay, 0);
    return {
      queue_delay_mean_ms: departed === 0 ? null : delays / departed,
      queue_delay_p95_ms: this.#delayAtRank(Math.ceil(0.95 * departed)),
      arrived_packets: arrived,
      departed_packets: departed,
      dropped_packets: dropped,
      departed_bytes: departedBytes,
      offered_bytes: offeredBytes,
    };
  }

  /** Delays are whole ms, so counts per delay give the exact quantile (nearest rank). */
  #delayAtRank(rank: number): number | null {
    let seen = 0;
    for (const [delay, packets] of this.#byDelay.entries()) {
      // The array has a hole at each delay without packets.
      seen += (packets as number | undefined) ?? 0;
      if (seen >= rank && seen > 0) return delay;
    }
    return null;
  }
}

const add = (sums: Float64Array, row: number, amount: number): void => {
  sums[row] = (sums[row] ?? 0) + amount;
};

interface Arrival {
  readonly time: number;
  readonly size: number;
}
