import type { LinkLog, LinkLogOptions, LinkRow } from '../measure/link-log.ts';

/** A packet that left the switch's bottleneck, times in epoch ms. */
export interface PacketDeparture {
  readonly enqueued_ms: number;
  readonly left_ms: number;
  /** The length of the frame. */
  readonly bytes: number;
  /** The number of packets in the queue when this packet arrived. */
  readonly depth_packets: number;
}

/** A row of queue.csv: the longest queue that a packet found within 20 ms. */
export interface QueueRow {
  readonly t_s: number;
  readonly depth_packets: number;
  readonly depth_bytes: number;
}

const LINK_ROW_MS = 100;
const QUEUE_ROW_MS = 20;

/**
 * Computes from postcards what link-log.ts computes from mm-link's log. The postcards are in the order of departure. A
 * packet that found the queue full has no postcard, so `dropped_packets` is the switch's own count for the whole
 * session.
 */
export function linkLogFromPostcards(
  departures: readonly PacketDeparture[],
  { origin_ms, until_ms, from_ms = origin_ms }: LinkLogOptions,
  { dropped_packets, mean_mbps }: { readonly dropped_packets: number; readonly mean_mbps: number },
): LinkLog {
  const rows = Array.from({ length: Math.ceil((until_ms - origin_ms) / LINK_ROW_MS) }, (_, index) => ({
    t_s: (index * LINK_ROW_MS) / 1000,
    departed: [] as PacketDeparture[],
  }));
  for (const departure of departures) {
    rows[Math.floor((departure.left_ms - origin_ms) / LINK_ROW_MS)]?.departed.push(departure);
  }
  const inside = departures.filter(({ left_ms }) => left_ms >= from_ms && left_ms < until_ms);
  const delays = inside.map(({ enqueued_ms, left_ms }) => left_ms - enqueued_ms).sort((a, b) => a - b);
  const queuedAt = queueBytesOverTime(departures);
  return {
    rows: rows.map(({ t_s, departed }): LinkRow => {
      const waits = departed.map(({ enqueued_ms, left_ms }) => left_ms - enqueued_ms);
      return {
        t_s,
        departed_bytes: sum(departed.map(({ bytes }) => bytes)),
        dropped_packets: 0,
        queue_delay_ms: waits.length > 0 ? sum(waits) / waits.length : null,
        queue_bytes: queuedAt(origin_ms + t_s * 1000 + LINK_ROW_MS),
      };
    }),
    totals: {
      queue_delay_mean_ms: delays.length > 0 ? sum(delays) / delays.length : null,
      queue_delay_p95_ms: delays[Math.ceil(0.95 * delays.length) - 1] ?? null,
      arrived_packets: inside.length + dropped_packets,
      departed_packets: inside.length,
      dropped_packets,
      departed_bytes: sum(inside.map(({ bytes }) => bytes)),
      offered_bytes: ((until_ms - from_ms) * mean_mbps * 1000) / 8,
    },
  };
}

export function queueRows(
  departures: readonly PacketDeparture[],
  { origin_ms, until_ms }: LinkLogOptions,
): QueueRow[] {
  const deepest = new Map<number, QueueRow>();
  const queuedAt = queueBytesOverTime(departures);
  for (const { enqueued_ms, depth_packets } of departures) {
    // In a first-in, first-out queue, the arrival times are in the same order as the departures.
    const depth_bytes = queuedAt(enqueued_ms);
    if (enqueued_ms < origin_ms || enqueued_ms >= until_ms) continue;
    const slot = Math.floor((enqueued_ms - origin_ms) / QUEUE_ROW_MS);
    if ((deepest.get(slot)?.depth_packets ?? -1) >= depth_packets) continue;
    deepest.set(slot, { t_s: (slot * QUEUE_ROW_MS) / 1000, depth_packets, depth_bytes });
  }
  return [...deepest.values()].sort((a, b) => a.t_s - b.t_s);
}

/** Returns a function that gives the bytes in the queue just before a time. Its calls must be in order of time. */
function queueBytesOverTime(departures: readonly PacketDeparture[]): (at_ms: number) => number {
  let [arrivedCount, departedCount, bytes] = [0, 0, 0];
  return (at_ms) => {
    for (
      let next = departures[arrivedCount];
      next && next.enqueued_ms < at_ms;
      next = departures[++arrivedCount]
    )
      bytes += next.bytes;
    for (
      let next = departures[departedCount];
      next && departedCount < arrivedCount && next.left_ms <= at_ms;
      next = departures[++departedCount]
    )
      bytes -= next.bytes;
    return bytes;
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
