import { describe, expect, test } from 'vitest';
import { Wires, type WireSettings } from './wires.ts';

const PORT = 4;

/** Sends frames of one byte that contains the frame's number. Returns the arrivals. */
function through(settings: WireSettings, ends: readonly number[], seed = 1) {
  const arrived: { frame: number; time: number }[] = [];
  const wires = new Wires(new Map([[PORT, settings]]), seed, (_, [frame = -1], time) =>
    arrived.push({ frame, time }),
  );
  for (const [at, end] of ends.entries()) {
    wires.advance(end);
    wires.send(PORT, Uint8Array.of(at % 256), end - 10, end);
  }
  const before = wires.counts(PORT);
  wires.advance(Infinity);
  return { arrived, before, after: wires.counts(PORT), wires };
}

test('delivers a frame exactly one delay after its last bit was sent', () => {
  const { arrived, before, after } = through({ delay_ns: 2_500_001 }, [1000, 121_120, 242_240]);
  expect(arrived).toEqual([
    { frame: 0, time: 2_501_001 },
    { frame: 1, time: 2_621_121 },
    { frame: 2, time: 2_742_241 },
  ]);
  expect(before).toEqual({ lost: 0, onWire: 3 });
  expect(after).toEqual({ lost: 0, onWire: 0 });
});

test('without a wire, delivers a frame when it leaves its queue', () => {
  expect(through({}, [1000]).arrived).toEqual([{ frame: 0, time: 990 }]);
});

test('reports the next arrival and delivers nothing early', () => {
  const arrived: number[] = [];
  const wires = new Wires(
    new Map([
      [1, { delay_ns: 100 }],
      [2, { delay_ns: 30 }],
    ]),
    1,
    (port) => arrived.push(port),
  );
  expect(wires.nextArrival()).toBe(Infinity);
  wires.send(1, new Uint8Array(1), 0, 0);
  wires.send(2, new Uint8Array(1), 10, 10);
  expect(wires.nextArrival()).toBe(40);
  wires.advance(39);
  expect(arrived).toEqual([]);
  wires.advance(200);
  expect(arrived).toEqual([2, 1]);
});

describe('jitter', () => {
  const ends = Array.from({ length: 5000 }, (_, at) => at * 1e6);
  const { arrived } = through({ delay_ns: 500_000, jitter_ns: 400_000 }, ends);
  const delays = arrived.map(({ time }, at) => time - (ends[at] ?? 0));

  test('is uniform around the delay', () => {
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(100_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(900_000);
    const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
    // Four standard errors of the mean of 5000 delays, uniform over 800,000 ns: 4 · 800,000/√12/√5000.
    expect(Math.abs(mean - 500_000)).toBeLessThan(13_100);
    // A tenth of the delays is in the lowest tenth of the range, within four standard errors: 500 ± 85.
    expect(Math.abs(delays.filter((delay) => delay < 180_000).length - 500)).toBeLessThan(85);
  });

  test('keeps frames in order', () => {
    const close = through(
      { delay_ns: 500_000, jitter_ns: 500_000 },
      Array.from({ length: 200 }, (_, at) => at * 100),
    );
    expect(close.arrived.map(({ frame }) => frame)).toEqual(Array.from({ length: 200 }, (_, at) => at));
    expect(close.arrived.every(({ time }, at) => time >= (close.arrived[at - 1]?.time ?? 0))).toBe(true);
  });
});

test('sends gathered frames together and in order at multiples of the interval', () => {
  const { arrived } = through({ delay_ns: 500, gather_ns: 1000 }, [1, 400, 1000, 1001, 2500]);
  expect(arrived.map(({ time }) => time)).toEqual([1500, 1500, 1500, 2500, 3500]);
  expect(arrived.map(({ frame }) => frame)).toEqual([0, 1, 2, 3, 4]);
});

describe('loss', () => {
  const ends = Array.from({ length: 10_000 }, (_, at) => at);

  test('has the configured share and is counted', () => {
    const { arrived, after } = through({ loss: 0.05 }, ends);
    // Four standard deviations of the number of lost frames: 4 · √(10,000 · 0.05 · 0.95) = 87.
    expect(Math.abs(after.lost - 500)).toBeLessThan(88);
    expect(arrived).toHaveLength(10_000 - after.lost);
  });

  test('is determined by the seed', () => {
    const frames = (seed: number) =>
      through({ loss: 0.5 }, ends.slice(0, 100), seed).arrived.map(({ frame }) => frame);
    expect(frames(7)).toEqual(frames(7));
    expect(frames(7)).not.toEqual(frames(8));
  });

  test('of 1 loses all frames', () => {
    expect(through({ loss: 1 }, ends.slice(0, 50)).arrived).toEqual([]);
  });
});
