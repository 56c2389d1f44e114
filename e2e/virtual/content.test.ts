import { expect, it } from 'vitest';
import { isPacedVideo, playVirtually } from './session.ts';

it('a single rung is chosen and paced', () => {
  const { decisions, page, warnings } = playVirtually('5', { rungs: [{ id: 'v700', bitrate_kbps: 700 }] });
  const paced = decisions.filter(isPacedVideo);
  expect(paced.length).toBeGreaterThan(3);
  for (const { representation, requested_kbps } of paced) {
    expect(representation).toBe('v700');
    // The pace is 2.8 to 3.2 times 700 kbit/s, in steps of 100.
    expect(requested_kbps).toBeGreaterThanOrEqual(2.8 * 700 - 100);
    expect(requested_kbps).toBeLessThanOrEqual(3.2 * 700 + 100);
  }
  expect([page.errors, warnings]).toEqual([[], []]);
});

it('audio alone is paced by its own ladder', () => {
  const { decisions, page } = playVirtually('5', {
    manifest: (mpd) => mpd.replace(/<AdaptationSet[^>]*contentType="video"[\s\S]*?<\/AdaptationSet>/, ''),
  });
  const paced = decisions.filter(({ requested_kbps }) => requested_kbps !== null);
  expect(paced.length).toBeGreaterThan(3);
  for (const { media_type, requested_kbps } of paced) {
    expect(media_type).toBe('audio');
    // The pace is 2.8 to 3.2 times 96 kbit/s, in steps of 100.
    expect([300, 400]).toContain(Math.ceil((requested_kbps ?? NaN) / 100) * 100);
  }
  expect(page.errors).toEqual([]);
});

it('a second period is paced too, without a new initial phase', () => {
  const { decisions, page, warnings } = playVirtually('5', {
    manifest(mpd) {
      const period = /<Period[^>]*>([\s\S]*)<\/Period>/.exec(mpd)?.[1] ?? '';
      const periods = [0, 1].map(
        (index) => `<Period id="p${index}" start="PT${index * 8}S" duration="PT8S">${period}</Period>`,
      );
      return mpd
        .replace(/<Period[\s\S]*<\/Period>/, periods.join(''))
        .replace(/mediaPresentationDuration="[^"]*"/, 'mediaPresentationDuration="PT16S"');
    },
  });
  const second = decisions.filter(({ segment_start_s }) => segment_start_s >= 8);
  expect(second.length).toBeGreaterThan(0);
  for (const { phase, requested_kbps } of second) {
    expect(phase).toBe('playing');
    expect(requested_kbps).not.toBeNull();
  }
  expect([page.errors, warnings]).toEqual([[], []]);
});

it('a seek beyond the buffer is unpaced until the buffer is safe, then paced', () => {
  const { decisions, page, warnings } = playVirtually('5', {
    options: '{ safe_buffer_s: 3 }',
    then: 'setTimeout(() => player.seek(60), 5000);',
  });
  const sought = decisions.filter(
    ({ segment_start_s, media_type }) => segment_start_s >= 60 && media_type === 'video',
  );
  expect(sought[0]).toMatchObject({ phase: 'recovery', requested_kbps: null });
  expect(sought.at(-1)?.phase).toBe('playing');
  expect(sought.at(-1)?.requested_kbps).toBeGreaterThan(0);
  expect([page.errors, warnings]).toEqual([[], []]);
});

it('a manifest without bitrates gives one warning and no pace', () => {
  const { requests, page, warnings } = playVirtually('5', {
    manifest: (mpd) => mpd.replaceAll(/ bandwidth="\d+"/g, ''),
  });
  expect(warnings).toContain('the manifest gives no bitrates for video');
  expect(new Set(warnings).size).toBe(warnings.length);
  expect(requests.length).toBeGreaterThan(3);
  for (const { rtp } of requests) expect(rtp).toBeNaN();
  expect(page.errors).toEqual([]);
});
