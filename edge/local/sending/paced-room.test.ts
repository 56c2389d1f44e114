import { expect, it } from 'vitest';
import { bytes, kbps } from '../../../src/units.ts';
import { pacedRoom } from './paced-room.ts';

const buffer = (pace_kbps: number | null, memory: { size: number; free: number } | null) => ({
  pace: () => (pace_kbps === null ? null : kbps(pace_kbps)),
  memory: () => memory && { size: bytes(memory.size), free: bytes(memory.free) },
  flush: () => true,
});

it('writes what a third of the buffer and more has room for', () => {
  expect(pacedRoom(buffer(1000, { size: 90_000, free: 30_000 }))).toEqual({ most: 30_000, sleepSteps: 0 });
  expect(pacedRoom(buffer(1000, { size: 900_000, free: 800_000 }))).toEqual({ most: 65_536, sleepSteps: 0 });
});

it('sleeps until the pace has freed a third of the buffer', () => {
  // 20,000 bytes at 125 bytes/ms take 160 ms, which are 20 steps of 8 ms; one byte more begins another step.
  expect(pacedRoom(buffer(1000, { size: 90_000, free: 10_000 }))).toEqual({ most: 0, sleepSteps: 20 });
  expect(pacedRoom(buffer(1000, { size: 90_000, free: 9999 }))).toEqual({ most: 0, sleepSteps: 21 });
  expect(pacedRoom(buffer(1000, { size: 90_000, free: -10_000 })).sleepSteps).toBe(40);
});

it.each([
  ['without a pace', buffer(null, { size: 90_000, free: 0 })],
  ['where the system does not tell', buffer(1000, null)],
  // 30,000 bytes at 12,500 bytes/ms last for 2.4 ms.
  ['where the buffer lasts for less than two steps', buffer(100_000, { size: 90_000, free: 0 })],
])('writes a piece %s, and leaves it to the kernel to say when it is taken', (_, of) => {
  expect(pacedRoom(of)).toEqual({ most: 65_536, sleepSteps: 0 });
});
