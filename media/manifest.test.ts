import { expect, test } from 'vitest';
import { kbps, seconds } from '../src/units.ts';
import { vp9CodecString } from './codec-string.ts';
import { printManifest } from './manifest.ts';

const rung = { id: 'v300', codecs: 'vp09.00.20.08', bitrate: kbps(300), width: 426, height: 240 };
const manifest = {
  title: 'Cats & "dogs" <2>',
  duration: seconds(1450 / 24),
  frameRate: 24,
  video: [rung, { ...rung, id: 'v3300', bitrate: kbps(3300), width: 1280, height: 720 }],
  audio: { id: 'a96', codecs: 'opus', bitrate: kbps(96) },
};

test('the manifest contains what the player needs', () => {
  const mpd = printManifest(manifest);
  expect(mpd).toContain('mediaPresentationDuration="PT60.417S"');
  expect(mpd).toContain('timescale="1000" duration="2000" startNumber="1"');
  expect(mpd).toContain('media="$RepresentationID$/$Number$.m4s"');
  expect(mpd).toContain('id="v3300" codecs="vp09.00.20.08" bandwidth="3300000" width="1280" height="720"');
  expect(mpd).toContain('id="a96" codecs="opus" bandwidth="96000"');
  expect(mpd.match(/<AdaptationSet/g)).toHaveLength(2);
});

test('text is escaped', () => {
  expect(printManifest(manifest)).toContain('<Title>Cats &#38; &#34;dogs&#34; &#60;2&#62;</Title>');
});

test('a silent video has one adaptation set, and a frame rate with a half is a fraction', () => {
  const { title, duration, video } = manifest;
  const mpd = printManifest({ title, duration, video, frameRate: 12.5 });
  expect(mpd.match(/<AdaptationSet/g)).toHaveLength(1);
  expect(mpd).toContain('frameRate="25/2"');
});

test('the codec string comes from the vpcC box', () => {
  // The box: size, type, version 1 and flags, profile 0, level 3.1, 8 bit with 4:2:0 chroma (VP Codec ISO binding
  // §2.2).
  const box = [0, 0, 0, 20, ...Buffer.from('vpcC'), 1, 0, 0, 0, 0, 31, 0x82, 1, 1, 1, 0, 0];
  expect(vp9CodecString(Uint8Array.from([9, 9, ...box]))).toBe('vp09.00.31.08');
  expect(() => vp9CodecString(Uint8Array.from([1, 2, 3]))).toThrow('vpcC');
});
