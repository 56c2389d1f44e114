import { WAIT_STEP_MS, type NeighbourRow, type QueueRow } from '../../bottleneck/measures.ts';

export type Mode = 'with' | 'without';

/** Null where nothing has been measured. */
export interface Figures {
  readonly response_ms: number | null;
  readonly responses: number;
  readonly queue_p95_ms: number | null;
  /** The share of packets that the queue dropped, in percent. */
  readonly dropped_pct: number | null;
}

/** After a change, a segment that was asked for before it is still under way, and the queue is what it left. */
const SETTLE_MS = 2000;

interface Measured {
  readonly responses_ms: number[];
  readonly waits: Map<number, number>;
  packets: number;
  dropped: number;
}

/** Compares times with and times without Sammy. All times are ms of one clock. */
export class Comparison {
  /** What the player did from when on; null when there is nothing to compare. */
  readonly #states: { readonly from_ms: number; readonly mode: Mode | null }[] = [];
  readonly #measured: Record<Mode, Measured> = { with: nothing(), without: nothing() };

  /** From now on the player is in this mode and downloads; null: it does not, or what it did before begins anew. */
  enter(mode: Mode | null, now_ms: number): void {
    if (this.#states.at(-1)?.mode !== mode) this.#states.push({ from_ms: now_ms, mode });
  }

  /** Returns the mode in which the response came, if there was one all the time. */
  addResponse({ from_ms, to_ms }: NeighbourRow): Mode | null {
    const mode = this.#modeOver(from_ms, to_ms);
    if (mode) this.#measured[mode].responses_ms.push(to_ms - from_ms);
    return mode;
  }

  addQueue({ at_ms, dropped, waits }: QueueRow): void {
    const mode = this.#modeOver(at_ms, at_ms);
    if (!mode) return;
    const measured = this.#measured[mode];
    measured.dropped += dropped;
    for (const [steps, packets] of waits) {
      measured.waits.set(steps, (measured.waits.get(steps) ?? 0) + packets);
      measured.packets += packets;
    }
  }

  figures(mode: Mode): Figures {
    const { responses_ms, waits, packets, dropped } = this.#measured[mode];
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

  /** The neighbor has changed: what was measured compares with nothing. */
  clear(): void {
    Object.assign(this.#measured, { with: nothing(), without: nothing() });
  }

  #modeOver(from_ms: number, to_ms: number): Mode | null {
    const at = this.#states.findLastIndex((state) => state.from_ms <= from_ms - SETTLE_MS);
    const next = this.#states[at + 1];
    return next && next.from_ms <= to_ms ? null : (this.#states[at]?.mode ?? null);
  }
}

const nothing = (): Measured => ({ responses_ms: [], waits: new Map(), packets: 0, dropped: 0 });

/** In steps upwards: at least the share of all packets waited no longer. */
function percentile(waits: ReadonlyMap<number, number>, packets: number, share: number): number | null {
  let seen = 0;
  for (const [steps, count] of [...waits].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= share * packets) return steps * WAIT_STEP_MS;
  }
  return null;
}
