import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../ground/statistics/random.ts';
import { LinkDownload, SharedLink } from './shared-link.ts';

const of = (size_bytes: number, cap_kbps: number) =>
  new LinkDownload({ size_bytes, cap_kbps, idle_rtt_ms: 20 });

describe('SharedLink', () => {
  it('ends downloads at the times of hand arithmetic', () => {
    const link = new SharedLink({ capacity_kbps: 8000, queue_ms: 100 });
    const [first, second] = [of(1_000_000, 10_000), of(500_000, 2000)];
    link.begin(first, 0);
    // The first download alone: 1 MB at 8 Mbit/s takes 1 s, and 0.5 MB have arrived after 0.5 s.
    expect(link.next_ms).toBeCloseTo(1000, 9);
    link.begin(second, 500);
    // The second download has a pace of 2 Mbit/s, so the first one gets 6 Mbit/s. Its remaining 4 Mbit take 666.7 ms.
    expect(link.next_ms).toBeCloseTo(500 + 4000 / 6, 6);
    expect(link.end()).toBe(first);
    // The second download always gets its pace: 4 Mbit at 2 Mbit/s.
    expect(link.next_ms).toBeCloseTo(2500, 6);
    expect(link.end()).toBe(second);
    expect(link.next_ms).toBe(Infinity);
  });

  it('fills its queue while the caps exceed the capacity, and empties it otherwise', () => {
    const link = new SharedLink({ capacity_kbps: 8000, queue_ms: 100 });
    const [paced, unpaced] = [of(1e6, 2000), of(1e6, 10_000)];
    link.begin(paced, 0);
    expect(link.delayAt(10)).toBe(0);
    link.begin(unpaced, 10);
    // The caps exceed the capacity by one half, so the delay grows by 0.5 ms per ms until the queue is full.
    expect([30, 210, 300].map((at) => link.delayAt(at))).toEqual([10, 100, 100]);
    link.cancel(unpaced, 30);
    // The remaining cap is a quarter of the capacity, so the delay shrinks by 0.75 ms per ms.
    expect(link.delayAt(34)).toBeCloseTo(7, 9);
    expect(link.delayAt(50)).toBe(0);
    // The first data of this download left before the queue grew.
    expect(paced.least_delay_ms).toBe(0);
  });

  it('loses packets of limited downloads, while the queue is full', () => {
    const link = new SharedLink({ capacity_kbps: 8000, queue_ms: 100 });
    const [paced, unpaced, late] = [of(1e6, 2000), of(1e6, 10_000), of(1e6, 10_000)];
    link.begin(paced, 0);
    link.begin(unpaced, 0);
    link.begin(late, 200);
    // The queue was full after 200 ms.
    expect([paced.lost_bytes, unpaced.lost_bytes, late.least_delay_ms]).toEqual([0, 0, 100]);
    link.cancel(late, 300);
    // Each unpaced download gets (8 - 2) / 2 = 3 Mbit/s. In 120 ms (round trip and queue), these are 360,000 bits, or
    // 31.08 packets of 11,584 bits. Of the 3 Mbit/s × 100 ms / 8 = 37,500 bytes at a full queue, 1.5 / 31.08² are lost.
    expect(unpaced.lost_bytes).toBeCloseTo((37_500 * 1.5) / 31.077 ** 2, 2);
    // The download's pace of 2 Mbit/s is less than a third of 8 Mbit/s, so the pace limits it, and not the link.
    expect(paced.lost_bytes).toBe(0);
  });

  it('has the same result for all caps that limit no download', () => {
    const lost = [4000, 40_000].map((cap_kbps) => {
      const link = new SharedLink({ capacity_kbps: 8000, queue_ms: 100 });
      const downloads = [0, 1, 2, 3].map(() => of(1e6, cap_kbps));
      for (const download of downloads) link.begin(download, 0);
      // The queue is full after at most 100 ms. Then another download, with a very low cap, begins and ends.
      const [first] = downloads;
      const another = of(1e6, 1);
      link.begin(another, 100);
      const before = first?.lost_bytes ?? NaN;
      link.cancel(another, 1100);
      return { lost: (first?.lost_bytes ?? NaN) - before, delay_ms: link.delayAt(1100) };
    });
    expect(lost[0]).toEqual(lost[1]);
    expect(lost[0]?.lost).toBeGreaterThan(0);
  });

  it('conserves bytes: the carried bytes are those of the downloads, and at most the capacity', () => {
    const random = seededRandom(7);
    const link = new SharedLink({ capacity_kbps: 10_000, queue_ms: 100 });
    const [all, running] = [new Set<LinkDownload>(), new Set<LinkDownload>()];
    let [now_ms, busy_ms] = [0, 0];
    for (let event = 0; event < 2000; event++) {
      const begins_ms = now_ms + random() * 1500;
      const idle = running.size === 0;
      if (link.next_ms <= begins_ms) {
        busy_ms += link.next_ms - now_ms;
        now_ms = link.next_ms;
        running.delete(link.end());
        continue;
      }
      if (!idle) busy_ms += begins_ms - now_ms;
      now_ms = begins_ms;
      const [oldest] = running;
      if (oldest && random() < 0.1) {
        link.cancel(oldest, now_ms);
        running.delete(oldest);
        continue;
      }
      const download = of(1000 + random() * 2e6, 500 + random() * 20_000);
      all.add(download);
      running.add(download);
      link.begin(download, now_ms);
    }
    const got = [...all].reduce((sum, { size_bytes, left_bytes }) => sum + size_bytes - left_bytes, 0);
    expect(link.carried_bytes / got).toBeCloseTo(1, 9);
    expect(link.carried_bytes).toBeLessThanOrEqual(((10_000 * busy_ms) / 8) * (1 + 1e-9));
    expect([...all].every(({ left_bytes }) => left_bytes >= 0)).toBe(true);
  });
});
