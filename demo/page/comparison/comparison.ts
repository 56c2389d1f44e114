import type { Arm } from '../../arms.ts';
import { WAIT_STEP_MS, type NeighborRow, type QueueRow } from '../../measures/measures.ts';

/** The effect of an arm on its neighbor and on the queue; null without measurements. */
export interface NetworkFigures {
  readonly response_ms: number | null;
  readonly responses: number;
  readonly queue_p95_ms: number | null;
  /** The share of packets that the queue dropped, in percent. */
  readonly dropped_pct: number | null;
}

/**
 * Time after a change of arms that is not measured, because packets of the previous arm are still in flight or queued,
 * and the new player is starting.
 */
const SETTLE_MS = 2000;

interface Measured {
  readonly responses_ms: number[];
  readonly waits: Map<number, number>;
  packets: number;
  dropped: number;
}

/** Compares the turns of the arms. All times are ms of one clock. */
export class Comparison {
  /** Times, each with the arm that downloads from then on; null for none. */
  readonly #states: { readonly from_ms: number; readonly arm: Arm | null }[] = [];
  readonly #measured: Record<Arm, Measured> = { stock: nothing(), sammy: nothing() };

  /** Records that from `now_ms` on only this arm downloads; null if no arm downloads. */
  enter(arm: Arm | null, now_ms: number): void {
    if (this.#states.at(-1)?.arm !== arm) this.#states.push({ from_ms: now_ms, arm });
  }

  /** Records a response. Returns the arm that downloaded during the whole response, or null. */
  addResponse({ from_ms, to_ms }: NeighborRow): Arm | null {
    const arm = this.#armOver(from_ms, to_ms);
    if (arm) this.#measured[arm].responses_ms.push(to_ms - from_ms);
    return arm;
  }

  addQueue({ at_ms, dropped, waits }: QueueRow): void {
    const arm = this.#armOver(at_ms, at_ms);
    if (!arm) return;
    const measured = this.#measured[arm];
    measured.dropped += dropped;
    for (const [steps, packets] of waits) {
      measured.waits.set(steps, (measured.waits.get(steps) ?? 0) + packets);
      measured.packets += packets;
    }
  }

  figures(arm: Arm): NetworkFigures {
    const { responses_ms, waits, packets, dropped } = this.#measured[arm];
    const sorted = [...responses_ms].sort((a, b) => a - b);
    const middle = sorted.length / 2;
    const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
    return {
      response_ms: sorted.length > 0 ? median : null,
      responses: sorted.length,
      queue_p95_ms: percentile(waits, packets, 0.95),
      dropped_pct: packets > 0 ? (100 * dropped) / (packets + dropped) : null,
    };
  }

  /** Discards all measurements, for example when the neighbor has changed. */
  clear(): void {
    Object.assign(this.#measured, { stock: nothing(), sammy: nothing() });
  }

  #armOver(from_ms: number, to_ms: number): Arm | null {
    const at = this.#states.findLastIndex((state) => state.from_ms <= from_ms - SETTLE_MS);
    const next = this.#states[at + 1];
    return next && next.from_ms <= to_ms ? null : (this.#states[at]?.arm ?? null);
  }
}

const nothing = (): Measured => ({ responses_ms: [], waits: new Map(), packets: 0, dropped: 0 });

/**
 * Returns the percentile of the waiting times, in steps rounded up: at least `share` of all packets did not wait
 * longer.
 */
function percentile(waits: ReadonlyMap<number, number>, packets: number, share: number): number | null {
  let seen = 0;
  for (const [steps, count] of [...waits].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= share * packets) return steps * WAIT_STEP_MS;
  }
  return null;
}
