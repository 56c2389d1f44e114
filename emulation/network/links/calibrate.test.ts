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
  ])('names the deviation of %j', (figures, message) => {
    expect(findDifference(figures)).toMatch(message);
  });

  it('tolerates the transmission time of two packets on a slow link', () => {
    // 12,000 bits at 2 Mbit/s are 6 ms: a slot each way, and two of them.
    const slow = { ...good, rate_mbps: 2, expected_rate_mbps: 2 };
    expect(findDifference({ ...slow, rtt_ms: 29 })).toBeUndefined();
    expect(findDifference({ ...slow, rtt_ms: 29.1 })).toMatch(/idle RTT/);
  });

  it('tolerates the jitter of both directions', () => {
    const jittered = { ...good, jitter_ms: 1 };
    // 5 ms less 1 ms of tolerance and 2 ms of jitter; 5 ms, two slots of 1 ms, two packets of 0.3 ms and 2 ms of jitter.
    expect(findDifference({ ...jittered, rtt_ms: 2.1 })).toBeUndefined();
    expect(findDifference({ ...jittered, rtt_ms: 9.5 })).toBeUndefined();
    expect(findDifference({ ...jittered, rtt_ms: 1.9 })).toMatch(/idle RTT/);
    expect(findDifference({ ...jittered, rtt_ms: 9.7 })).toMatch(/idle RTT/);
  });

  it('does not check the rate of a link whose rate varies', () => {
    expect(findDifference({ ...good, rate_mbps: null, expected_rate_mbps: null })).toBeUndefined();
  });
});

describe('findDifference, for an exactly known link', () => {
  const known = {
    ...good,
    known_rtt_ms: 6.65,
    queue_bytes: 99_000,
    expected_queue_bytes: 100_000,
    sent_packets: 2000,
    lost_packets: 22,
    expected_loss: 0.01,
  };

  it('accepts the link', () => {
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
    // Mean 20, standard deviation 4.4.
    [{ lost_packets: 40 }, /lost 40 of 2000 packets, expected 1%/],
    [{ lost_packets: 0 }, /lost 0 of 2000/],
    [{ lost_packets: 1, expected_loss: 0 }, /lost 1 of 2000 packets, expected 0%/],
  ])('names the deviation: %j', (change, message) => {
    expect(findDifference({ ...known, ...change })).toMatch(message);
  });
});

describe('settledRtt_ms', () => {
  it('is the median of the last two thirds, even with one late pair', () => {
    expect(settledRtt_ms([9, 9, 7, 6, 30, 6.5])).toBe(7);
    expect(settledRtt_ms([])).toBeNaN();
  });
});

describe('receivedRate_mbps', () => {
  it('counts from a full link until the server stops', () => {
    // 5 bytes a ms are 0.04 Mbit/s; before 400 ms and after 1200 ms anything.
    const samples = [0, 100, 400, 800, 1200, 2000].map((at): [number, number] => [at, at < 400 ? 0 : at * 5]);
    expect(receivedRate_mbps({ filledFrom_ms: 0, samples }, 1200)).toBeCloseTo(0.04, 9);
  });

  it('is 0 if the link was never full', () => {
    expect(receivedRate_mbps({ filledFrom_ms: Infinity, samples: [[0, 0]] }, 1200)).toBe(0);
  });
});
