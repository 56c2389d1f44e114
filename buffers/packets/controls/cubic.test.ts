import { expect, it } from 'vitest';
import { Cubic } from './cubic.ts';
import { newTcpState } from './tcp-state.ts';

/** Returns the windows over time after a loss at `window`, if every packet is acknowledged by its own ACK. */
function afterLoss(window: number, rtt_ms: number, roundTrips: number) {
  let now = 0;
  const tcp = newTcpState(() => now);
  const cubic = new Cubic(tcp);
  Object.assign(tcp, { window, leastRtt_ms: rtt_ms });
  tcp.threshold = cubic.thresholdAfterLoss();
  tcp.window = tcp.threshold;
  const windows: { readonly s: number; readonly window: number }[] = [];
  for (let round = 0; round < roundTrips; round++) {
    const packets = tcp.window;
    for (let packet = 0; packet < packets; packet++) {
      now += rtt_ms / packets;
      cubic.acked({
        ...{ delivered: 1, lost: 0, rtt_ms, inFlightBefore: packets, deliveredInAll: 1, rate: undefined },
      });
    }
    windows.push({ s: now / 1000, window: tcp.window });
  }
  return windows;
}

it('returns to the window of the loss on the cubic curve of RFC 8312', () => {
  // A window of 1000 packets becomes 700, and K = cbrt(300 / 0.4) = 9.086 s. At K / 2 the window is 1000 - 0.4 x 4.543³
  // = 962.5.
  const windows = afterLoss(1000, 100, 91);
  expect(windows[0]?.window).toBeLessThan(720);
  const half = windows.find(({ s }) => s >= 9.086 / 2)?.window ?? NaN;
  expect(Math.abs(half - 962.5)).toBeLessThan(3);
  expect(Math.abs((windows.at(-1)?.window ?? NaN) - 1000)).toBeLessThan(2);
});

it('grows like Reno with the same beta if that is faster: 0.53 packets per round trip', () => {
  // A window of 30 packets becomes 21. In 60 round trips of 40 ms = 2.4 s, Reno's growth gives 21 + 60 × 0.53 = 53.
  // The cubic curve is at 30 only after K = cbrt(9 / 0.4) = 2.8 s.
  const window = afterLoss(30, 40, 60).at(-1)?.window ?? NaN;
  expect(window).toBeGreaterThan(50);
  expect(window).toBeLessThan(56);
});
