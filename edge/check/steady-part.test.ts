import { expect, it } from 'vitest';
import {
  bytes,
  kbps,
  milliseconds,
  millisecondsToSeconds,
  averageRate,
  secondsToMilliseconds,
  transferTime,
} from '../../src/units.ts';
import { steadyPart, type Arrival } from './steady-part.ts';

const PACE = kbps(5000);
/** The maximum number of bytes that a program reads at once. */
const READ_BYTES = 65_536;

/**
 * The arrivals of a body that TCP paces (tcp_update_skb_after_send): after each packet, TCP waits for the time that the
 * packet's bytes take at the pace. After the first packet on an idle connection, it may wait only half as long.
 */
function pacedBody(size: number, packet: number, afterIdle: boolean): Arrival[] {
  const arrivals: Arrival[] = [];
  let at = 0;
  for (let from = 0; from < size; from += packet) {
    const sent = Math.min(packet, size - from);
    for (let read = 0; read < sent; read += READ_BYTES)
      arrivals.push({ at: milliseconds(at), bytes: Math.min(READ_BYTES, sent - read) });
    const time = secondsToMilliseconds(transferTime(bytes(sent), PACE));
    at += afterIdle && from === 0 ? time / 2 : time;
  }
  return arrivals;
}
const rateSeen = (arrivals: readonly Arrival[]): number => {
  const { bytes: size, time } = steadyPart(arrivals);
  return averageRate(bytes(size), millisecondsToSeconds(time));
};

// Loopback packets in pairs and alone, and Ethernet packets in pairs.
const BODIES = [400_000, 676_000, 1_000_000, 1_875_000].flatMap((size) =>
  [130_966, 65_483, 2896].flatMap((packet) => [true, false].map((idle) => [size, packet, idle] as const)),
);
it.each(BODIES)(
  '%i bytes in packets of %i show the pace at which they were sent, after idle: %s',
  (...body) => {
    expect(rateSeen(pacedBody(...body)) / PACE).toBeCloseTo(1, 2);
  },
);

it.each([
  ['at the beginning', 10, 500],
  ['in the middle', 700, 1100],
  ['at the end', 1300, 1800],
])('shows the pace of a body that a busy machine reads late %s', (_, from, to) => {
  // 1 MB in packets of 65 kB, one in 105 ms.
  const late = pacedBody(1_000_000, 65_483, false).map(({ at, bytes: size }) => ({
    at: milliseconds(at > from && at < to ? to : at),
    bytes: size,
  }));
  expect(rateSeen(late) / PACE).toBeCloseTo(1, 2);
});

it('returns the rate of a body that arrives within milliseconds, and no rate for two bursts', () => {
  const read = (at: number, size: number): Arrival => ({ at: milliseconds(at), bytes: size });
  // The body has 2 MB in 4 ms, which is 4 Gbit/s.
  const unpaced = [read(0, 0), ...Array.from({ length: 20 }, (_, index) => read(3.9 + index / 190, 100_000))];
  expect(rateSeen(unpaced) / 4e6).toBeCloseTo(1, 2);
  expect(steadyPart([read(0, 130_966), read(2095, 56_534)])).toEqual({ bytes: 0, time: 0 });
  expect(steadyPart([])).toEqual({ bytes: 0, time: 0 });
});
