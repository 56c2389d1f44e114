import { expect, it } from 'vitest';
import { drawnLinks, formatTable, type Pair } from './over-udp.ts';

it('draws the same links as the protocol in every run', () => {
  const links = drawnLinks();
  expect(links).toHaveLength(10);
  expect(drawnLinks()).toEqual(links);
  for (const { rate, rtt_ms, queue_bytes } of links) {
    expect(rate.mbps).toBeGreaterThanOrEqual(5);
    expect(rate.mbps).toBeLessThanOrEqual(30);
    expect(rtt_ms).toBeGreaterThanOrEqual(20);
    expect(rtt_ms).toBeLessThanOrEqual(80);
    const bdps = queue_bytes / ((rate.mbps * rtt_ms * 1000) / 8);
    expect(bdps).toBeGreaterThanOrEqual(0.999);
    expect(bdps).toBeLessThanOrEqual(3.001);
  }
});

it('counts the links on which the throughputs differ by at most a tenth', () => {
  const pair = (live_mbps: number): Pair => ({
    link: { rate: { kind: 'constant', mbps: 10 }, rtt_ms: 20, queue_bytes: 50_000 },
    live: { throughput_mbps: live_mbps, delay_p95_ms: 12 },
    virtual: { throughput_mbps: 10, delay_p95_ms: 12 },
    lateness_p99_ms: 1,
  });
  const table = formatTable([9, 11, 8.9, 11.1, 10].map(pair));
  expect(table).toContain('| 10.0 | 10.0 | 50000 | 9.00 | 10.00 | -10.0% | 12.0 | 12.0 | 1.0 |');
  expect(table.split('\n').at(-1)).toBe('3 of 5 within 10% (target: 8)');
});
