import { describe, expect, test } from 'vitest';
import { windowUtilization } from './utilization.ts';

describe('utilization of windows', () => {
  // At 8 kbit/s, 100 bytes take 0.1 s.
  const rate = 8000;
  const windows = { from_s: 10, to_s: 12, window_s: 0.5 };

  test('is the busy share of each window: 0.2 s, 0.1 + 0.05 s, 0.05 s and 0 of 0.5 s', () => {
    const departures = [
      { t_s: 10, bytes: 100 },
      { t_s: 10.2, bytes: 100 },
      { t_s: 10.6, bytes: 100 },
      // Half of this transmission is after 11 s.
      { t_s: 10.95, bytes: 100 },
    ];
    const shares = windowUtilization(departures, rate, windows);
    expect(shares).toHaveLength(4);
    [0.4, 0.3, 0.1, 0].forEach((share, index) => expect(shares[index]).toBeCloseTo(share, 9));
  });

  test('ignores packets before and after, and an incomplete last window', () => {
    const departures = [
      { t_s: 9.95, bytes: 100 },
      { t_s: 11.95, bytes: 100 },
    ];
    const shares = windowUtilization(departures, rate, { ...windows, to_s: 11.9 });
    expect(shares).toHaveLength(3);
    [0.1, 0, 0].forEach((share, index) => expect(shares[index]).toBeCloseTo(share, 9));
  });

  test('is 1 on a link that is always busy', () => {
    const departures = Array.from({ length: 30 }, (_, index) => ({ t_s: 9.93 + index / 10, bytes: 100 }));
    for (const share of windowUtilization(departures, rate, windows)) expect(share).toBeCloseTo(1, 9);
  });
});
