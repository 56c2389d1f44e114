import { describe, expect, it } from 'vitest';
import { linkOfPostcards, queueRows, type Departure } from './postcard-link.ts';

/** Three packets of 1500 bytes at 12 Mbit/s, 1 ms each: the second and third wait. */
const departures: Departure[] = [
  { enqueued_ms: 1000, left_ms: 1001, bytes: 1500, depth_packets: 0 },
  { enqueued_ms: 1000, left_ms: 1002, bytes: 1500, depth_packets: 1 },
  { enqueued_ms: 1150, left_ms: 1153, bytes: 1500, depth_packets: 2 },
];
const window = { origin_ms: 1000, until_ms: 1200 };

describe('linkOfPostcards', () => {
  it('gives the rows and totals that a log of mm-link gives', () => {
    const { rows, totals } = linkOfPostcards(departures, window, { dropped_packets: 4, mbps: 12 });
    expect(rows.map(({ departed_bytes }) => departed_bytes)).toEqual([3000, 1500]);
    expect(rows.map(({ queue_delay_ms }) => queue_delay_ms)).toEqual([1.5, 3]);
    expect(totals).toMatchObject({ departed_packets: 3, arrived_packets: 7, queue_delay_mean_ms: 2 });
    // 12 Mbit/s for 0.2 s
    expect(totals.offered_bytes).toBe(300_000);
  });

  it('knows no delay without packets', () => {
    const { totals } = linkOfPostcards([], window, { dropped_packets: 0, mbps: 12 });
    expect(totals.queue_delay_mean_ms).toBeNull();
    expect(totals.queue_delay_p95_ms).toBeNull();
  });
});

describe('queueRows', () => {
  it('keeps the deepest queue of each 20 ms, and its bytes at the rate', () => {
    expect(queueRows(departures, window, 12)).toEqual([
      { t_s: 0, depth_packets: 1, depth_bytes: 3000 },
      { t_s: 0.14, depth_packets: 2, depth_bytes: 4500 },
    ]);
  });
});
