import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { shareOfFlows } from '../../../../bench/loop/share-of-flows.ts';
import { loadYieldControl } from './yield-control.ts';

const loaded = await loadYieldControl();
afterAll(async () => {
  if ('unload' in loaded) await loaded.unload();
});
const name = 'name' in loaded ? loaded.name : '';

const FAST = { rate_kbps: 40_000, queue_bytes: 100_000 };
const SLOW = { rate_kbps: 4000, queue_bytes: 60_000 };
const TIMES = { settle_s: 4, seconds: 10 };
const reno = { control: 'reno' };

describe.skipIf('missing' in loaded)(
  `the congestion control that yields${'missing' in loaded ? ` (skipped: ${loaded.missing})` : ''}`,
  () => {
    it('has exactly its pace when alone', async () => {
      const [own = 0] = await shareOfFlows(
        FAST,
        [{ control: name, pace_kbps: 10_000, floor_kbps: 3000 }],
        TIMES,
      );
      expect(own).toBeGreaterThan(9000);
      expect(own).toBeLessThan(10_100);
    }, 60_000);

    it('falls to its floor beside Reno, and not below', async () => {
      const own = { control: name, pace_kbps: 10_000, floor_kbps: 4000 };
      const [neighbor = 0, floor = 0] = await shareOfFlows(FAST, [reno, own], TIMES);
      // A floor is rounded up to complete packets in flight, here by at most 0.8 Mbit/s.
      expect(floor).toBeGreaterThan(3800);
      expect(floor).toBeLessThan(5200);
      expect(neighbor).toBeGreaterThan(31_000);
    }, 60_000);

    it("behaves as Reno beside Reno if its floor is above Reno's share", async () => {
      const own = { control: name, pace_kbps: 10_000, floor_kbps: 10_000 };
      const shares = await Promise.all([shareOfFlows(SLOW, [reno, own], { settle_s: 5, seconds: 30 })]);
      const [neighbor = 0, share = 0] = shares[0];
      // Over half a minute, two Reno flows differ by up to a factor of two here, because the queue drops entire bursts
      // of one flow.
      expect(share / neighbor).toBeGreaterThan(1 / 2);
      expect(share / neighbor).toBeLessThan(2);
      expect(share + neighbor).toBeGreaterThan(3500);
    }, 90_000);

    it('fills a link below its floor when alone, and also without a floor', async () => {
      for (const floor_kbps of [10_000, 0]) {
        const [own = 0] = await shareOfFlows(SLOW, [{ control: name, pace_kbps: 10_000, floor_kbps }], TIMES);
        expect(own).toBeGreaterThan(3600);
      }
    }, 90_000);

    it("shares with other yielding flows: none has less than half of another's throughput", async () => {
      const five = Array.from({ length: 5 }, () => ({ control: name, pace_kbps: 10_000, floor_kbps: 2000 }));
      const shares = await shareOfFlows(FAST, five, TIMES);
      expect(Math.min(...shares) / Math.max(...shares)).toBeGreaterThan(1 / 2);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeGreaterThan(35_000);
    }, 60_000);

    it('is removed when it is unloaded', async () => {
      if ('unload' in loaded) await loaded.unload();
      const listed = await readFile('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8');
      expect(listed.split(/\s+/)).not.toContain(name);
    });
  },
);
