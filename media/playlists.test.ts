import { expect, test } from 'vitest';
import { bytes, kbps } from '../src/units.ts';
import { printMultivariant, printPlaylist } from './playlists.ts';

const v300 = {
  ...{ media: 'video' as const, width: 426, height: 240, bitrate_kbps: kbps(300), average_kbps: kbps(303.9) },
  ...{ segment_bytes: [bytes(75_000), bytes(40_000)], segment_ssim_db: [] },
};
const a96 = {
  ...{ media: 'audio' as const, bitrate_kbps: kbps(96), average_kbps: kbps(95) },
  segment_bytes: [bytes(24_000), bytes(12_000)],
};
const segment_duration_s = [2, 1] as never;
const codecs = { v300: 'vp09.00.10.08', a96: 'opus' };

test('a variant has the bitrates of its video and audio, and the id of the manifest', () => {
  // The peak is 40,000 bytes in 1 s, or 320 kbit/s, plus 96 kbit/s of audio. The average is 303.9 + 95 kbit/s.
  expect(
    printMultivariant({ representations: { v300, a96 }, segment_duration_s }, codecs).split('\n'),
  ).toEqual([
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="sound",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",STABLE-RENDITION-ID="a96",URI="a96/index.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=416000,AVERAGE-BANDWIDTH=398900,CODECS="vp09.00.10.08,opus",RESOLUTION=426x240,STABLE-VARIANT-ID="v300",AUDIO="sound"',
    'v300/index.m3u8',
    '',
  ]);
});

test('a silent video has no rendition', () => {
  const playlist = printMultivariant({ representations: { v300 }, segment_duration_s }, codecs);
  expect(playlist).not.toContain('AUDIO');
  expect(playlist).toContain('BANDWIDTH=320000,AVERAGE-BANDWIDTH=303900,CODECS="vp09.00.10.08",');
});

test('the playlist of a rung has each segment with its bitrate', () => {
  expect(printPlaylist([2, 1.5], [75_000, 37_500]).split('\n').slice(3)).toEqual([
    '#EXT-X-TARGETDURATION:2',
    '#EXT-X-MEDIA-SEQUENCE:1',
    '#EXT-X-MAP:URI="init.mp4"',
    ...['#EXT-X-BITRATE:300', '#EXTINF:2,', '1.m4s'],
    ...['#EXT-X-BITRATE:200', '#EXTINF:1.5,', '2.m4s'],
    '#EXT-X-ENDLIST',
    '',
  ]);
});
