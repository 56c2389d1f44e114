import { bytesAt, seconds, type Kbps } from '../../../src/units.ts';
import { PIECE_BYTES, type Turns } from '../sending/send-body.ts';

/**
 * What all bodies of a socket together may have written that it has not yet taken: enough to keep it busy while the
 * next pieces are read, and little for a new body to wait behind.
 */
const AHEAD_BYTES = 128 * 1024;

const LEAST_PIECE_BYTES = 4096;

/** A body that is alone writes no more at once than so much of its own time, lest a slow one that is joined must wait. */
const LONGEST_PIECE_S = seconds(0.25);

/** Who makes no progress for so long, while the others could, is waited for no more: its client has shut its window. */
const GRACE_MS = 200;

interface Flow {
  readonly weight: () => Kbps | null;
  /** Bytes written and taken by the socket, each divided by the weight that the flow had then. */
  written: number;
  taken: number;
  outstandingBytes: number;
  lastProgress: number;
  proceed: ((most: number) => void) | null;
}

/**
 * Shares a socket among the bodies on it by weight, their paces: a body may write while what it has written is no
 * further ahead, for its weight, than what the socket took of the body that is furthest behind. Weighted fair queueing
 * (Demers, Keshav, Shenker 1989), with what is written by turns in place of packets. One that cannot write, because
 * its source is slow or its client has shut its window, holds nobody up, and has no claim to what it missed.
 */
export class FairTurns {
  readonly #flows = new Set<Flow>();
  #timer: NodeJS.Timeout | null = null;

  /** `weight` may change meanwhile; null, a body that is not paced, counts as much as all that are together. */
  join(weight: () => Kbps | null): Turns & { leave(): void } {
    const floor = this.#floor();
    const flow: Flow = {
      weight,
      written: floor,
      taken: floor,
      outstandingBytes: 0,
      lastProgress: performance.now(),
      proceed: null,
    };
    this.#flows.add(flow);
    return {
      next: () =>
        new Promise((resolve) => {
          this.#rejoin(flow);
          flow.proceed = resolve;
          this.#proceed();
        }),
      wrote: (bytes) => {
        flow.outstandingBytes += bytes;
        flow.written += bytes / this.#weightOf(flow);
      },
      took: (bytes) => {
        this.#rejoin(flow);
        flow.outstandingBytes -= bytes;
        // Weights change while bytes are under way: with none left, no rounding stays behind.
        flow.taken = flow.outstandingBytes > 0 ? flow.taken + bytes / this.#weightOf(flow) : flow.written;
        this.#proceed();
      },
      leave: () => {
        this.#flows.delete(flow);
        this.#proceed();
      },
    };
  }

  #weightOf(flow: Flow): number {
    return flow.weight() ?? this.#pacedWeight();
  }

  #pacedWeight(): number {
    let sum = 0;
    for (const { weight } of this.#flows) sum += weight() ?? 0;
    return sum > 0 ? sum : 1;
  }

  #totalWeight(): number {
    let sum = 0;
    for (const flow of this.#flows) sum += this.#weightOf(flow);
    return sum;
  }

  #pieceOf(flow: Flow, total: number): number {
    const share = (AHEAD_BYTES / 2) * (this.#weightOf(flow) / total);
    const pace = flow.weight();
    const most = pace === null ? PIECE_BYTES : bytesAt(pace, LONGEST_PIECE_S);
    return Math.round(Math.min(Math.max(Math.min(share, most), LEAST_PIECE_BYTES), PIECE_BYTES));
  }

  #isStuck({ lastProgress }: Flow): boolean {
    return performance.now() - lastProgress > GRACE_MS;
  }

  /** How far the furthest behind is, of those that get on. */
  #floor(): number {
    let floor = Infinity;
    for (const flow of this.#flows) {
      if (flow.outstandingBytes === 0 && flow.proceed) floor = Math.min(floor, flow.written);
      else if (!this.#isStuck(flow)) floor = Math.min(floor, flow.taken);
    }
    if (floor < Infinity) return floor;
    for (const { taken } of this.#flows) floor = Math.min(floor, taken);
    return floor < Infinity ? floor : 0;
  }

  /** It gets on: from where the others are, if it was left behind. */
  #rejoin(flow: Flow): void {
    if (this.#isStuck(flow)) {
      const missed = Math.max(0, this.#floor() - flow.taken);
      flow.taken += missed;
      flow.written += missed;
    }
    flow.lastProgress = performance.now();
  }

  #proceed(): void {
    const floor = this.#floor();
    const total = this.#totalWeight();
    let waiting = false;
    for (const flow of this.#flows) {
      if (!flow.proceed) continue;
      // Nor is anybody far ahead of what the socket took of its own.
      if (flow.written > Math.min(floor, flow.taken) + AHEAD_BYTES / 2 / total) {
        waiting = true;
        continue;
      }
      const { proceed } = flow;
      flow.proceed = null;
      proceed(this.#pieceOf(flow, total));
    }
    if (!waiting || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#proceed();
    }, GRACE_MS / 2);
    this.#timer.unref();
  }
}
