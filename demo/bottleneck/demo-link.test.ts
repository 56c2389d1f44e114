import { describe, expect, it } from 'vitest';
import { demoLink, firstAppetite, readBottleneck, turnLength_s } from './demo-link.ts';

describe('the link of the demo', () => {
  it('has a queue of four bandwidth-delay products', () => {
    // 40 Mbit/s x 5 ms are 25,000 bytes.
    expect(demoLink(40).queue_bytes).toBe(100_000);
  });

  it('is the link of the study of slow links below 20 Mbit/s', () => {
    // 5 Mbit/s x 40 ms are 25,000 bytes, and the queue holds four times as much.
    expect(demoLink(5)).toMatchObject({ rtt_ms: 40, queue_bytes: 100_000 });
    expect([5, 20].map((mbps) => firstAppetite(demoLink(mbps)))).toEqual(['greedy', 'modest']);
  });

  it('gives each player time for three downloads of a neighbor at half of the rate', () => {
    // 3 MB at 2.5 Mbit/s take 9.6 s, three times this is 28.8 s. At 40 Mbit/s, the least turn of 15 s applies.
    expect([5, 40].map((mbps) => turnLength_s(demoLink(mbps)))).toEqual([29, 15]);
  });

  it('rejects an invalid rate in one line', () => {
    expect(readBottleneck('12.5')).toBe(12.5);
    for (const text of ['', '-40', '1', '101', '40x', '1e2', 'Infinity'])
      expect(() => readBottleneck(text)).toThrow(`--bottleneck is '${text}', expected Mbit/s from 2 to 100`);
  });
});
