import type { LinkLog, LinkLogOptions, LinkRow } from '../measure/link-log.ts';

/** A packet that left the switch's bottleneck, times in epoch ms. */
export interface Departure {
  readonly enqueued_ms: number;
  readonly left_ms: number;
  /** Of the frame. */
  readonly bytes: number;
  /** Packets that waited before it. */
  readonly depth_packets: number;
}

/** A row of queue.csv: the deepest queue that a packet of these 20 ms has met. */
export interface QueueRow {
  readonly t_s: number;
  readonly depth_packets: number;
  readonly depth_bytes: number;
}

const LINK_ROW_MS = 100;
const QUEUE_ROW_MS = 20;

/**
 * The same that mm-link's log says, from postcards. A packet that found the queue full has none: `dropped_packets` is
 * the switch's own count, of the whole session. What waited in bytes is a packet's time in the queue at the rate.
 */
export function linkOfPostcards(
  departures: readonly Departure[],
  { origin_ms, until_ms, from_ms = origin_ms }: LinkLogOptions,
  { dropped_packets, mbps }: { readonly dropped_packets: number; readonly mbps: number },
): LinkLog {
  const bytesOf = (delay_ms: number) => (delay_ms * mbps * 1000) / 8;
  const rows = Array.from({ length: Math.ceil((until_ms - origin_ms) / LINK_ROW_MS) }, (_, index) => ({
    t_s: (index * LINK_ROW_MS) / 1000,
    departed: [] as Departure[],
  }));
  for (const departure of departures) {
    rows[Math.floor((departure.left_ms - origin_ms) / LINK_ROW_MS)]?.departed.push(departure);
  }
  const inside = departures.filter(({ left_ms }) => left_ms >= from_ms && left_ms < until_ms);
  const delays = inside.map(({ enqueued_ms, left_ms }) => left_ms - enqueued_ms).sort((a, b) => a - b);
  return {
    rows: rows.map(({ t_s, departed }): LinkRow => {
      const waits = departed.map(({ enqueued_ms, left_ms }) => left_ms - enqueued_ms);
      return {
        t_s,
        departed_bytes: sum(departed.map(({ bytes }) => bytes)),
        dropped_packets: 0,
        queue_delay_ms: waits.length > 0 ? sum(waits) / waits.length : null,
        queue_bytes: bytesOf(waits.at(-1) ?? 0),
      };
    }),
    totals: {
      queue_delay_mean_ms: delays.length > 0 ? sum(delays) / delays.length : null,
      queue_delay_p95_ms: delays[Math.ceil(0.95 * delays.length) - 1] ?? null,
      arrived_packets: inside.length + dropped_packets,
      departed_packets: inside.length,
      dropped_packets,
      departed_bytes: sum(inside.map(({ bytes }) => bytes)),
      offered_bytes: bytesOf(until_ms - from_ms),
    },
  };
}

export function queueRows(
  departures: readonly Departure[],
  { origin_ms, until_ms }: LinkLogOptions,
  mbps: number,
): QueueRow[] {
  const deepest = new Map<number, QueueRow>();
  for (const { enqueued_ms, left_ms, depth_packets } of departures) {
    if (enqueued_ms < origin_ms || enqueued_ms >= until_ms) continue;
    const slot = Math.floor((enqueued_ms - origin_ms) / QUEUE_ROW_MS);
    if ((deepest.get(slot)?.depth_packets ?? -1) >= depth_packets) continue;
    const depth_bytes = Math.round(((left_ms - enqueued_ms) * mbps * 1000) / 8);
    deepest.set(slot, { t_s: (slot * QUEUE_ROW_MS) / 1000, depth_packets, depth_bytes });
  }
  return [...deepest.values()].sort((a, b) => a.t_s - b.t_s);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
