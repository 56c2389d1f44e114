import { expect, test } from 'vitest';
import { readSidecar, sizesFromSidecar } from '../src/film/sidecar.ts';
import { bytes, kbps } from '../src/units.ts';
import type { EncodedRung } from './ladder.ts';
import { buildSidecar } from './sidecar.ts';
import type { Source } from './sources/source.ts';
import { describeSidecar } from './describe-sidecar.ts';

const source: Source = {
  title: 'A film',
  credit: 'Its makers',
  inputs: [],
  inputCount: 0,
  picture: '',
  sound: '[sound]',
  width: 1280,
  height: 720,
  frameRate: 25,
  frames: 125,
  fingerprint: 'sha',
};
const ladder: EncodedRung[] = [
  { id: 'low', bitrate: kbps(300), shortSide: 240, firstAsk: 1 },
  { id: 'high', bitrate: kbps(3300), shortSide: 720, firstAsk: 1 },
];
// 5 s in segments of 2, 2 and 1 s. At 300 kbit/s, 5 s are 187,500 bytes; at 3,300 kbit/s, they would be 2,062,500
// bytes.
const sizes = new Map([
  ['low', [80_000, 75_000, 32_500].map(bytes)],
  ['high', [900_000, 800_000, 300_000].map(bytes)],
  ['a96', [25_000, 25_000, 12_500].map(bytes)],
]);
const quality = new Map([
  ['low', [10.00049, 11, 12]],
  ['high', [20, 21, 22]],
]);
const sidecar = buildSidecar(source, ladder, sizes, quality);

test('has the sizes, qualities and rates of the segments', () => {
  expect(sidecar).toMatchObject({
    version: 1,
    title: 'A film',
    credit: 'Its makers',
    segment_duration_s: [2, 2, 1],
    ssim: { reference_width: 1280, reference_height: 720, every_nth_frame: 4 },
    representations: {
      low: {
        media: 'video',
        width: 426,
        height: 240,
        bitrate_kbps: 300,
        average_kbps: 300,
        segment_bytes: [80_000, 75_000, 32_500],
        segment_ssim_db: [10, 11, 12],
      },
      // 2,000,000 bytes in 5 s are 3,200 kbit/s, which is within 5% of 3,300.
      high: { bitrate_kbps: 3300, average_kbps: 3200 },
      // 62,500 bytes in 5 s are 100 kbit/s, which is within 5% of 96.
      a96: { media: 'audio', bitrate_kbps: 96, average_kbps: 100 },
    },
  });
  expect('license' in sidecar).toBe(false);
});

test('is readable by the player', () => {
  const read = readSidecar(JSON.parse(JSON.stringify(sidecar)));
  expect(() => sizesFromSidecar(read)).not.toThrow();
});

test('the summary has the rates of the segments in kbit/s', () => {
  // 80,000 bytes in 2 s are 320 kbit/s, 75,000 bytes in 2 s are 300, and 32,500 bytes in 1 s are 260.
  expect(describeSidecar(sidecar)).toMatch(/^low +426x240 +300 +300 +260 \/ 300 \/ 320 +11\.0$/m);
});
