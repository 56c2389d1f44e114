import { describe, expect, it } from 'vitest';
import { seededRandom } from '../report/statistics/random.ts';
import { LinkDownload, SharedLink } from './shared-link.ts';

const of = (size_bytes: number, cap_kbps: number) =>
  new LinkDownload({ size_bytes, cap_kbps, idle_rtt_ms: 20 });

describe('SharedLink', () => {
  it('ends downloads when hand arithmetic says', () => {
    const link = new SharedLink({ capacity_kbps: 8000, queue_ms: 100 });
    const [first, second] = [of(1_000_000, 10_000), of(500_000, 2000)];
    link.begin(first, 0);
    // Alone: 1 MB at 8 Mbit/s, of which 0.5 MB are there after 0.5 s.
    expect(link.next_ms).toBeCloseTo(1000, 9);
    link.begin(second, 500);
    // Then 6 Mbit/s beside a pace of 2 Mbit/s: the other 4 Mbit take 666.7 ms.
    expect(link.next_ms).toBeCloseTo(500 + 4000 / 6, 6);
    expect(link.end()).toBe(first);
    // The second has its pace throughout: 4 Mbit at 2 Mbit/s.
    expect(link.next_ms).toBeCloseTo(2500, 6);
    expect(link.end()).toBe(second);
    expect(link.next_ms).toBe(Infinity);
  });

  it('has a queue where more is offered than it carries, and loss where the link is the limit', () => {
    const link = new SharedLink({ capacity_kbps: 8000, queue_ms: 100 });
    const [paced, unpaced] = [of(1e6, 2000), of(1e6, 14_000)];
    link.begin(paced, 0);
    expect(link.delay_ms).toBe(0);
    link.begin(unpaced, 0);
    // Twice the capacity is offered: half of the queue.
    expect(link.delay_ms).toBe(50);
    expect(paced.loss).toBe(0);
    // 6 Mbit/s and 70 ms are 420,000 bit, 36.26 packets of 11,584 bit in flight: 1.5 / 36.26².
    expect(unpaced.loss).toBeCloseTo(1.5 / 36.257 ** 2, 7);
    expect(unpaced.least_rtt_ms).toBe(70);
    link.cancel(unpaced, 1);
    expect(link.delay_ms).toBe(0);
    expect(paced.least_rtt_ms).toBe(20);
  });

  it('conserves bytes: what is carried is what downloads got, and never more than the capacity', () => {
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
