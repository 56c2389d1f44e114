import { describe, expect, it } from 'vitest';
import { Agenda } from '../../../emulation/ground/clock/agenda.ts';
import { kernels, type KernelName } from '../kernel-rules.ts';
import { LinuxSender } from './linux-sender.ts';

const RTT_MS = 10;

/**
 * Runs a sender. Each of its bursts is acknowledged as one piece after a round trip, except for one packet that is
 * lost. Returns the window in the middle of each round trip, and the departure times.
 */
function play({
  paced,
  kernel,
  burst = 7,
  lost = 100,
}: {
  paced: boolean;
  kernel: KernelName;
  burst?: number;
  lost?: number;
}) {
  const agenda = new Agenda<() => void>();
  let now = 0;
  const at = (time_ms: number, act: () => void) => agenda.add(Math.max(now, time_ms), act);
  const bursts: { readonly ms: number; readonly packets: number }[] = [];
  const arrived = new Set<number>();
  let upTo = 0;
  let dropped = false;
  const sender = new LinuxSender(
    {
      now_ms: () => now,
      at,
      random: () => 0.5,
      transmit: (numbers) => {
        bursts.push({ ms: now, packets: numbers.length });
        const arriving = numbers.filter((number) => dropped || number !== lost);
        dropped ||= arriving.length < numbers.length;
        at(now + RTT_MS, () => {
          for (const number of arriving) arrived.add(number);
          while (arrived.delete(upTo)) upTo++;
          sender.acknowledge(
            upTo,
            arriving.filter((number) => number >= upTo),
          );
        });
      },
    },
    { congestion_control: 'reno', paced, kernel: kernels[kernel], burst_packets: burst },
  );
  sender.start();
  const windows: number[] = [];
  for (let round = 0; round < 60; round++) {
    const end = (round + 0.5) * RTT_MS;
    while (agenda.next_ms <= end) {
      now = agenda.next_ms;
      agenda.take()();
    }
    now = end;
    windows.push(sender.window);
  }
  return { windows, bursts, counts: sender.counts };
}

describe("Linux's sender", () => {
  it('doubles its window until the loss, halves it, and grows by one in each round trip', () => {
    const { windows } = play({ paced: false, kernel: '6.1' });
    expect(windows.slice(0, 3)).toEqual([10, 20, 40]);
    const [low] = [Math.min(...windows.slice(6))];
    const settled = windows.slice(20);
    for (const [index, window] of settled.slice(1).entries())
      expect(Math.abs(window - (settled[index] ?? 0))).toBeLessThanOrEqual(2);
    expect((settled.at(-1) ?? 0) - (settled[0] ?? 0)).toBeGreaterThanOrEqual(settled.length - 4);
    expect(low).toBeLessThan(80);
  });

  it('sends no burst above the limit, and paces bursts over the round trip at 1.2 windows', () => {
    const { bursts, windows } = play({ paced: true, kernel: '6.1' });
    expect(Math.max(...bursts.map(({ packets }) => packets))).toBe(7);
    const late = bursts.filter(({ ms }) => ms >= 50 * RTT_MS);
    const gaps = late.slice(1).map(({ ms }, index) => ms - (late[index]?.ms ?? 0));
    const window = windows.at(-1) ?? 0;
    // The gap is the time of seven packets at 1.2 windows per round trip.
    const least = (7 * RTT_MS) / (1.2 * window);
    expect(Math.max(...gaps)).toBeLessThan(4 * least);
    expect(gaps.filter((gap) => gap > least / 3).length).toBeGreaterThan(gaps.length / 2);
  });
});
