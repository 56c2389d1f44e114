import { expect, it } from 'vitest';
import { kbps } from '../units.ts';
import { readRemainder } from './segment-remainder.ts';

const decision = { bitrate_kbps: kbps(3000), segment_duration_s: 2, top_bitrate_kbps: kbps(6000) };
const playing = (buffer_s: number, rate = 1) => ({
  getBufferLength: () => buffer_s,
  getPlaybackRate: () => rate,
});
const request = (bytesLoaded: number, bytesTotal: number) => ({
  bytesLoaded,
  bytesTotal,
  mediaType: 'video',
});

it('is the missing part, and the buffer divided by the playback rate', () => {
  expect(readRemainder(playing(8, 2), request(300_000, 800_000), decision)).toEqual({
    ...{ left: 500_000, playable: 4, top: 6000, playbackRate: 2 },
  });
  expect(readRemainder(playing(0.8), request(0, 800_000), decision)).toMatchObject({
    left: 800_000,
    playable: 0.8,
  });
});

it('assumes the size of the bitrate before the size is known: 6000 kbit', () => {
  expect(readRemainder(playing(8), request(0, 0), decision).left).toBe(750_000);
  expect(readRemainder(playing(8), request(NaN, NaN), decision).left).toBe(750_000);
  // If more than the expected 750 kB has arrived, nothing is left.
  expect(readRemainder(playing(8), request(800_000, 0), decision).left).toBe(0);
});

it('has nothing to play without a buffer, or if dash.js throws, and assumes normal speed during a stall', () => {
  const nothing = { playable: 0, playbackRate: 1 };
  for (const player of [playing(0), playing(NaN), playing(-1), { ...playing(0), getBufferLength: fails }])
    expect(readRemainder(player, request(0, 800_000), decision)).toMatchObject(nothing);
  for (const player of [playing(8, 0), playing(8, NaN), { ...playing(8), getPlaybackRate: fails }])
    expect(readRemainder(player, request(0, 800_000), decision)).toMatchObject({
      playable: 8,
      playbackRate: 1,
    });
});

function fails(): never {
  throw new Error('no stream is active');
}
