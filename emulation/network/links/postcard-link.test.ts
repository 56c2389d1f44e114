import { describe, expect, it } from 'vitest';
import { linkLogFromPostcards, queueRows, type PacketDeparture } from './postcard-link.ts';

/**
 * Packets of 1500 and 500 bytes. The third packet waits for one packet of each size, and the fourth waits across the
 * end of a row.
 */
const departures: PacketDeparture[] = [
  { enqueued_ms: 1000, left_ms: 1001, bytes: 1500, depth_packets: 0 },
  { enqueued_ms: 1000.5, left_ms: 1002.5, bytes: 500, depth_packets: 1 },
  { enqueued_ms: 1000.6, left_ms: 1003.6, bytes: 1500, depth_packets: 2 },
  { enqueued_ms: 1098, left_ms: 1102, bytes: 1500, depth_packets: 0 },
];
const window = { origin_ms: 1000, until_ms: 1200 };

describe('linkLogFromPostcards', () => {
  it("has the same rows and totals as mm-link's log", () => {
    const { rows, totals } = linkLogFromPostcards(departures, window, { dropped_packets: 4, mean_mbps: 12 });
    expect(rows.map(({ departed_bytes }) => departed_bytes)).toEqual([3500, 1500]);
    expect(rows.map(({ queue_delay_ms }) => Number(queue_delay_ms?.toFixed(6)))).toEqual([2, 4]);
    expect(rows.map(({ queue_bytes }) => queue_bytes)).toEqual([1500, 0]);
    expect(totals).toMatchObject({ departed_packets: 4, arrived_packets: 8 });
    expect(totals.queue_delay_mean_ms).toBeCloseTo(2.5, 9);
    // 12 Mbit/s for 0.2 s.
    expect(totals.offered_bytes).toBe(300_000);
  });

  it('returns no delay without packets', () => {
    const { totals } = linkLogFromPostcards([], window, { dropped_packets: 0, mean_mbps: 12 });
    expect(totals.queue_delay_mean_ms).toBeNull();
    expect(totals.queue_delay_p95_ms).toBeNull();
  });
});

describe('queueRows', () => {
  it('keeps the longest queue of each 20 ms, and its bytes', () => {
    expect(queueRows(departures, window)).toEqual([
      { t_s: 0, depth_packets: 2, depth_bytes: 2000 },
      { t_s: 0.08, depth_packets: 0, depth_bytes: 0 },
    ]);
  });
});
