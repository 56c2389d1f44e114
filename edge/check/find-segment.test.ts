import { expect, it } from 'vitest';
import { findSegment, isManifest } from './find-segment.ts';

const mpd = (content: string, attributes = 'type="static"', template = '') => `<?xml version="1.0"?>
<!-- <Period> -->
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" ${attributes}><Period start="PT10S">${template}
  <AdaptationSet mimeType="audio/mp4"><Representation id="a" bandwidth="9000000"/></AdaptationSet>
  <AdaptationSet contentType="video">${content}</AdaptationSet>
</Period></MPD>`;

const two = '<Representation id="low" bandwidth="300000"/><Representation id="top" bandwidth="3300000"/>';

it.each([
  [
    'numbers',
    mpd(`<SegmentTemplate media="$RepresentationID$/$Number%05d$.m4s?a=1&amp;b=2" startNumber="3"/>${two}`),
    'https://cdn.example/v/top/00003.m4s?a=1&b=2',
  ],
  [
    'a timeline',
    mpd(
      `<SegmentTemplate media="$Bandwidth$-$Time$.m4s"><SegmentTimeline><S t="900" d="2"/></SegmentTimeline></SegmentTemplate>${two}`,
    ),
    'https://cdn.example/v/3300000-900.m4s',
  ],
  [
    'base URLs',
    mpd(
      '<BaseURL>video/</BaseURL><Representation id="top" bandwidth="1"><BaseURL>top.mp4</BaseURL><SegmentBase indexRange="0-9"/></Representation>',
    ),
    'https://cdn.example/v/video/top.mp4',
  ],
  [
    'a list',
    mpd(
      '<Representation id="x" bandwidth="1"><SegmentList><SegmentURL media="1.m4s"/></SegmentList></Representation>',
    ),
    'https://cdn.example/v/1.m4s',
  ],
  [
    'a live edge',
    // 100 s after the period's start, number 26 of the 4 s segments has begun. Number 24 is the third from the end.
    mpd(
      `<SegmentTemplate media="$Number$.m4s" duration="8000" timescale="2000"/>${two}`,
      'type="dynamic" availabilityStartTime="2026-01-01T00:00:00Z"',
    ),
    'https://cdn.example/v/24.m4s',
  ],
  [
    'a playlist',
    '#EXTM3U\n#EXT-X-MAP:URI="i.mp4"\n#EXTINF:4,\nseg/1.m4s\n#EXTINF:4,\nseg/2.m4s',
    'https://cdn.example/v/seg/1.m4s',
  ],
])('finds a segment by %s', async (_, text, expected) => {
  const now = Date.parse('2026-01-01T00:01:50Z');
  const found = await findSegment(new URL('https://cdn.example/v/m.mpd'), () => Promise.resolve(text), now);
  expect(found.href).toBe(expected);
});

it('follows the variant with the highest bandwidth', async () => {
  const texts: Record<string, string> = {
    '/m.m3u8':
      '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n#EXT-X-STREAM-INF:CODECS="x",BANDWIDTH=5\nhigh/top.m3u8',
    '/high/top.m3u8': '#EXTM3U\n#EXTINF:4,\n1.ts',
  };
  const found = await findSegment(new URL('http://a/m.m3u8'), ({ pathname }) =>
    Promise.resolve(texts[pathname] ?? ''),
  );
  expect(found.href).toBe('http://a/high/1.ts');
});

it.each(['', '<MPD/>', '#EXTM3U', 'not a manifest', '#EXTM3U\nm.m3u8'])(
  'rejects %j with a one-line error',
  async (text) => {
    await expect(findSegment(new URL('http://a/m.m3u8'), () => Promise.resolve(text))).rejects.toThrow(
      /^check finds .* http:\/\/a\/.*; give the URL of a media segment$/,
    );
  },
);

it('recognizes a manifest by its name or type', () => {
  expect(isManifest(new URL('http://a/x.mpd?y'))).toBe(true);
  expect(isManifest(new URL('http://a/x'), 'application/vnd.apple.mpegurl; charset=utf-8')).toBe(true);
  expect(isManifest(new URL('http://a/1.m4s'), 'video/mp4')).toBe(false);
});
