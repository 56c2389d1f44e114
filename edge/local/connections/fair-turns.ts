import { transferSize, seconds, type Kbps } from '../../../src/units.ts';
import { PIECE_BYTES } from '../sending/piece-bytes.ts';
import type { Turns } from '../sending/send-body.ts';

/**
 * The maximum number of bytes that all bodies together have written but the socket has not yet accepted. This is enough
 * to keep the socket busy while the next pieces are read, and so little that a new body does not wait long.
 */
const AHEAD_BYTES = 128 * 1024;

/**
 * The smallest piece that is read from a body. The first piece has this size, so a client that never opens its
 * flow-control window occupies little memory.
 */
const LEAST_PIECE_BYTES = 4096;

/** The longest duration of a piece at its body's own pace, so that a new body does not wait long for a slow body. */
const LONGEST_PIECE_S = seconds(0.25);

/**
 * Other bodies do not wait for a body that has made no progress for this long, because its client has closed its
 * window.
 */
const GRACE_MS = 200;

interface Flow {
  readonly weight: () => Kbps | null;
  /** Bytes written, and bytes accepted by the socket. Each byte count is divided by the flow's weight at that time. */
  written: number;
  taken: number;
  outstandingBytes: number;
  /** Whether the socket has accepted any byte of this body. */
  hasBegun: boolean;
  lastProgress: number;
  proceed: ((most: number) => void) | null;
}

/**
 * Shares a socket among its bodies in proportion to their weights, which are their paces. This is weighted fair
 * queueing (Demers, Keshav, Shenker 1989), with written pieces instead of packets. A body may write while its written
 * bytes, divided by its weight, are not too far ahead of the slowest body's accepted bytes, divided by that body's
 * weight. A body that cannot write, because its source is slow or its client has closed its window, does not delay
 * other bodies, and does not catch up later.
 */
export class FairTurns {
  readonly #flows = new Set<Flow>();
  #timer: NodeJS.Timeout | null = null;

  /**
   * Adds a body. The weight may change. A weight of null, for a body without a pace, counts as much as all paced bodies
   * together.
   */
  join(weight: () => Kbps | null): Turns & { leave(): void } {
    const floor = this.#floor();
    const flow: Flow = {
      weight,
      written: floor,
      taken: floor,
      outstandingBytes: 0,
      hasBegun: false,
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
        flow.written += bytes / this.#weight(flow);
      },
      took: (bytes) => {
        this.#rejoin(flow);
        flow.outstandingBytes -= bytes;
        flow.hasBegun = true;
        // Weights may change while bytes are outstanding, so make both counts equal when no bytes are outstanding.
        flow.taken = flow.outstandingBytes > 0 ? flow.taken + bytes / this.#weight(flow) : flow.written;
        this.#proceed();
      },
      leave: () => {
        this.#flows.delete(flow);
        this.#proceed();
      },
    };
  }

  #weight(flow: Flow): number {
    return flow.weight() ?? this.#pacedWeight();
  }

  #pacedWeight(): number {
    let sum = 0;
    for (const { weight } of this.#flows) sum += weight() ?? 0;
    return sum > 0 ? sum : 1;
  }

  #totalWeight(): number {
    let sum = 0;
    for (const flow of this.#flows) sum += this.#weight(flow);
    return sum;
  }

  #pieceSize(flow: Flow, total: number): number {
    if (!flow.hasBegun) return LEAST_PIECE_BYTES;
    const share = (AHEAD_BYTES / 2) * (this.#weight(flow) / total);
    const pace = flow.weight();
    const most = pace === null ? PIECE_BYTES : transferSize(pace, LONGEST_PIECE_S);
    return Math.round(Math.min(Math.max(Math.min(share, most), LEAST_PIECE_BYTES), PIECE_BYTES));
  }

  #isStuck({ lastProgress }: Flow): boolean {
    return performance.now() - lastProgress > GRACE_MS;
  }

  /** The progress of the body that is furthest behind, among those that make progress. */
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

  /** Records progress of a body. A body that was stuck continues at the position of the other bodies. */
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
      // A new body continues when the socket has accepted its first piece.
      if (!flow.hasBegun && flow.outstandingBytes > 0) continue;
      // A body must not be far ahead of the slowest body, or of its own accepted bytes.
      if (flow.written > Math.min(floor, flow.taken) + AHEAD_BYTES / 2 / total) {
        waiting = true;
        continue;
      }
      const { proceed } = flow;
      flow.proceed = null;
      proceed(this.#pieceSize(flow, total));
    }
    if (!waiting || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#proceed();
    }, GRACE_MS / 2);
    this.#timer.unref();
  }
}
