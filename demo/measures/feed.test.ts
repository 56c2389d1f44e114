import { describe, expect, it } from 'vitest';
import { Feed } from './feed.ts';
import { QueueMeter } from '../bottleneck/queue-meter.ts';

describe('Feed', () => {
  const response = (from_ms: number) => ({ response: { from_ms, to_ms: from_ms + 1 } });

  it('gives each page the rows since its last request', () => {
    const feed = new Feed();
    feed.add(response(1));
    const { next, responses } = feed.after(undefined, 5);
    expect(responses).toEqual([]);
    feed.add(response(2));
    feed.add({ queue: new QueueMeter().take(7, 0) });
    const later = feed.after(next, 9);
    expect(later).toMatchObject({ now_ms: 9, next: 3, responses: [{ from_ms: 2, to_ms: 3 }] });
    expect(later.queue.map(({ at_ms }) => at_ms)).toEqual([7]);
    expect(feed.after(later.next, 9).responses).toEqual([]);
  });

  it('starts at the end for a page with an unknown position or none', () => {
    const feed = new Feed();
    feed.add(response(1));
    for (const since of [NaN, -1, 2, Infinity])
      expect(feed.after(since, 0)).toMatchObject({ next: 1, responses: [] });
  });

  it('discards old rows', () => {
    const feed = new Feed();
    for (let at = 0; at < 5000; at++) feed.add(response(at));
    const { responses } = feed.after(0, 0);
    expect(responses.length).toBe(3000);
    expect(responses.at(-1)?.from_ms).toBe(4999);
  });
});

describe('QueueMeter', () => {
  it('summarizes the packets that left since the previous row, and the drops', () => {
    const meter = new QueueMeter();
    meter.left(3, 1);
    meter.left(5, 1.6);
    meter.left(1, 0.9);
    meter.left(0, 0);
    // In quarters of a millisecond, rounded up, the delays are 4, 7, 4 and 0.
    expect(meter.take(100, 2)).toEqual({
      at_ms: 100,
      depth_packets: 5,
      wait_ms: 1.6,
      dropped: 2,
      waits: [
        [0, 1],
        [4, 2],
        [7, 1],
      ],
    });
    expect(meter.take(200, 3)).toEqual({ at_ms: 200, depth_packets: 0, wait_ms: 0, dropped: 1, waits: [] });
  });
});
