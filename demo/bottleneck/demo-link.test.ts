import { describe, expect, it } from 'vitest';
import { demoLink, readBottleneck } from './demo-link.ts';

describe('the link of the demo', () => {
  it('has a queue of four bandwidth-delay products', () => {
    // 40 Mbit/s in 5 ms: 25,000 bytes.
    expect(demoLink(40).queue_bytes).toBe(100_000);
  });

  it('is refused in one line', () => {
    expect(readBottleneck('12.5')).toBe(12.5);
    for (const text of ['', '-40', '4', '101', '40x', '1e2', 'Infinity'])
      expect(() => readBottleneck(text)).toThrow(`--bottleneck is '${text}', expected Mbit/s from 5 to 100`);
  });
});
