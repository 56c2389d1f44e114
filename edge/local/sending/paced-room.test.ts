import { expect, it } from 'vitest';
import { bytes, kbps } from '../../../src/units.ts';
import { writableNow } from './paced-room.ts';

const buffer = (pace_kbps: number | null, memory: { size: number; free: number } | null) => ({
  pace: () => (pace_kbps === null ? null : kbps(pace_kbps)),
  memory: () => memory && { size: bytes(memory.size), free: bytes(memory.free) },
  flush: () => true,
});

// At 8000 kbit/s = 1000 bytes/ms, a step of 8 ms frees 8000 bytes of the buffer, and eight steps free 64,000 bytes.
it('writes as much as fits if at least a third of the buffer is free', () => {
  expect(writableNow(buffer(8000, { size: 90_000, free: 30_000 }))).toEqual({ most: 30_000, sleepSteps: 0 });
  expect(writableNow(buffer(8000, { size: 900_000, free: 800_000 }))).toEqual({
    most: 65_536,
    sleepSteps: 0,
  });
});

it('sleeps until the pace has freed a third of the buffer', () => {
  expect(writableNow(buffer(8000, { size: 90_000, free: 14_000 }))).toEqual({ most: 0, sleepSteps: 2 });
  expect(writableNow(buffer(8000, { size: 90_000, free: 13_999 }))).toEqual({ most: 0, sleepSteps: 3 });
  expect(writableNow(buffer(8000, { size: 90_000, free: -10_000 })).sleepSteps).toBe(5);
});

it('sleeps longer at a low pace: until a complete piece fits, or eight steps before the buffer is empty', () => {
  // At 1000 kbit/s, a step of 8 ms frees 1000 bytes.
  expect(writableNow(buffer(1000, { size: 90_000, free: 65_536 }))).toEqual({ most: 65_536, sleepSteps: 0 });
  expect(writableNow(buffer(1000, { size: 90_000, free: 60_536 }))).toEqual({ most: 0, sleepSteps: 5 });
  expect(writableNow(buffer(1000, { size: 60_000, free: 52_000 }))).toEqual({ most: 52_000, sleepSteps: 0 });
  expect(writableNow(buffer(1000, { size: 60_000, free: 42_000 }))).toEqual({ most: 0, sleepSteps: 10 });
});

it.each([
  ['without a pace', buffer(null, { size: 90_000, free: 0 })],
  ['where the system does not tell', buffer(1000, null)],
  // A third of the buffer, 30,000 bytes, lasts for 2.4 ms at 100,000 kbit/s = 12,500 bytes/ms. Two steps are 16 ms.
  ['where the buffer lasts for less than two steps', buffer(100_000, { size: 90_000, free: 0 })],
])('writes a piece %s, and lets the kernel report when it is accepted', (_, of) => {
  expect(writableNow(of)).toEqual({ most: 65_536, sleepSteps: 0 });
});
