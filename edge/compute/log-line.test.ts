import { expect, it } from 'vitest';
import { isMedia, logLine } from './log-line.ts';

it('contains no query, which may contain the token of a signed URL', () => {
  const request = new Request('https://video.example/a/1.m4s?token=secret&CMCD=rtp%3D9900');
  const answer = new Response(null, { status: 206, headers: { 'Content-Length': '1000' } });
  const line = logLine(request, answer, 12.4);
  expect(line).not.toContain('secret');
  expect(JSON.parse(line)).toMatchObject({
    ...{ method: 'GET', path: '/a/1.m4s', range: null, status: 206 },
    ...{ asked_kbps: null, pace_kbps: null, reason: null, length_bytes: 1000, duration_ms: 12 },
  });
});

it('describes requests for media, by their path or their type', () => {
  const url = (path: string) => new URL(path, 'https://video.example');
  const answer = (type: string) => new Response(null, { headers: { 'Content-Type': type } });
  expect(isMedia(url('/1.M4S'), answer('text/html'))).toBe(true);
  expect(isMedia(url('/1'), answer('video/mp4'))).toBe(true);
  expect(isMedia(url('/manifest.mpd'), answer('application/dash+xml'))).toBe(false);
});
