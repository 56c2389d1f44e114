import { describe, expect, it } from 'vitest';
import { receivedRate_mbps, settledRtt_ms, findDifference } from './calibrate.ts';

const good = { rtt_ms: 6.6, expected_rtt_ms: 5, rate_mbps: 40, expected_rate_mbps: 40 };

describe('findDifference', () => {
  it('accepts a link that is as requested', () => {
    expect(findDifference(good)).toBeUndefined();
    expect(findDifference({ ...good, rate_mbps: 38.9 })).toBeUndefined();
  });

  it.each([
    [{ ...good, rtt_ms: 9 }, /idle RTT is 9.00 ms, expected 5/],
    [{ ...good, rtt_ms: 3.9 }, /idle RTT/],
    [{ ...good, rtt_ms: NaN }, /idle RTT/],
    [{ ...good, rate_mbps: 38.7 }, /rate is 38.70 Mbit\/s, expected 40/],
    [{ ...good, rate_mbps: 0 }, /rate/],
  ])('names the difference in %j', (figures, message) => {
    expect(findDifference(figures)).toMatch(message);
  });

  it('allows for the transmission time of two packets on a slow link', () => {
    // A packet of 12,000 bits takes 6 ms at 2 Mbit/s. The limit is 5 (RTT) + 2 × 6 (slots) + 2 × 6 (packets) = 29 ms.
    const slow = { ...good, rate_mbps: 2, expected_rate_mbps: 2 };
    expect(findDifference({ ...slow, rtt_ms: 29 })).toBeUndefined();
    expect(findDifference({ ...slow, rtt_ms: 29.1 })).toMatch(/idle RTT/);
  });

  it('allows for jitter in both directions', () => {
    const jittered = { ...good, jitter_ms: 1 };
    // The limits are 5 (RTT) - 1 (tolerance) - 2 (jitter, 1 ms each way) = 2 ms, and 5 + 2 × 1 (slots) + 2 × 0.3
    // (packets) + 2 (jitter) = 9.6 ms.
    expect(findDifference({ ...jittered, rtt_ms: 2.1 })).toBeUndefined();
    expect(findDifference({ ...jittered, rtt_ms: 9.5 })).toBeUndefined();
    expect(findDifference({ ...jittered, rtt_ms: 1.9 })).toMatch(/idle RTT/);
    expect(findDifference({ ...jittered, rtt_ms: 9.7 })).toMatch(/idle RTT/);
  });

  it('ignores the rate of a link whose rate varies', () => {
    expect(findDifference({ ...good, rate_mbps: null, expected_rate_mbps: null })).toBeUndefined();
  });
});

describe('findDifference for a link with a known idle RTT', () => {
  const known = {
    ...good,
    known_rtt_ms: 6.65,
    queue_bytes: 99_000,
    expected_queue_bytes: 100_000,
    sent_packets: 2000,
    lost_packets: 22,
    expected_loss: 0.01,
  };

  it('accepts the requested link', () => {
    expect(findDifference(known)).toBeUndefined();
    expect(findDifference({ ...known, rtt_ms: 6.16 })).toBeUndefined();
    expect(findDifference({ ...known, rtt_ms: 7.14 })).toBeUndefined();
  });

  it.each([
    [
      { rtt_ms: 7.2 },
      /idle RTT is 7.20 ms, expected 6.65 ms, the 5 ms asked for with the emulator's own part/,
    ],
    [{ rtt_ms: 6.1 }, /idle RTT is 6.10 ms/],
    [{ rtt_ms: NaN }, /idle RTT/],
    [{ queue_bytes: 95_000 }, /queue drops from 95000 bytes on, expected 100000/],
    [{ queue_bytes: 104_000 }, /queue drops from 104000/],
    [{ queue_bytes: NaN }, /queue dropped nothing when it was flooded/],
    // Expected losses: the mean is 2000 × 1% = 20, the standard deviation √(20 × 0.99) = 4.4.
    [{ lost_packets: 40 }, /lost 40 of 2000 packets, expected 1%/],
    [{ lost_packets: 0 }, /lost 0 of 2000/],
    [{ lost_packets: 1, expected_loss: 0 }, /lost 1 of 2000 packets, expected 0%/],
  ])('names the difference: %j', (change, message) => {
    expect(findDifference({ ...known, ...change })).toMatch(message);
  });
});

describe('settledRtt_ms', () => {
  it('is the median of the last two thirds, regardless of a single late pair', () => {
    expect(settledRtt_ms([9, 9, 7, 6, 30, 6.5])).toBe(7);
    expect(settledRtt_ms([])).toBeNaN();
  });
});

describe('receivedRate_mbps', () => {
  it('measures from when the link is full until the server stops', () => {
    // Between 400 and 1200 ms, 5 bytes per ms arrive, which is 0.04 Mbit/s. Earlier and later samples do not matter.
    const samples = [0, 100, 400, 800, 1200, 2000].map((at): [number, number] => [at, at < 400 ? 0 : at * 5]);
    expect(receivedRate_mbps({ filledFrom_ms: 0, samples }, 1200)).toBeCloseTo(0.04, 9);
  });

  it('is 0 if the link was never full', () => {
    expect(receivedRate_mbps({ filledFrom_ms: Infinity, samples: [[0, 0]] }, 1200)).toBe(0);
  });
});
