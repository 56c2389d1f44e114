import { expect, it } from 'vitest';
import { seconds } from '../units.ts';
import { paceFloor } from './floor.ts';

const decision = {
  ...{ bitrate_kbps: 3300, bound_kbps: 1000, buffer_s: 20, playback_rate: 1, segment_duration_s: 4 },
  requested_kbps: 10_000,
};
const reserve = seconds(15);

// All rates are divided by GOODPUT_OF_PACE, 0.9.
it.each([
  ['the bitrate, above the reserve', {}, 3300 / 0.9],
  ['as fast as it plays', { playback_rate: 2 }, 6600 / 0.9],
  [
    'twice the bitrate more with nothing buffered, and in between in proportion',
    { buffer_s: 7.5 },
    6600 / 0.9,
  ],
  ['what the algorithm needs for the top rung', { bound_kbps: 5000 }, 5000 / 0.9],
  [
    'what arrives in time',
    { buffer_s: 2, bitrate_kbps: 2000, requested_kbps: 20_000 },
    (2000 * (1 + 2 * (13 / 15))) / 0.9,
  ],
  ['at most the pace', { buffer_s: 0 }, 10_000],
  ['the pace, where the buffer is to grow', { bound_kbps: null }, 10_000],
])('is %s', (_, changed, floor) => {
  expect(paceFloor({ ...decision, ...changed }, reserve)).toBeCloseTo(floor, 6);
});
