import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureTestContent } from '../media/sources/footage.ts';
import {
  decisions,
  expect,
  isPacedVideo,
  noPaceStalls,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  shortBuffer,
  test,
} from './support/fixtures.ts';
import { segmentsOf, startTestEdge, type TestEdge } from './support/test-edge.ts';

/** Serves the test film with a changed manifest. */
async function serveManifest(edge: TestEdge, change: (manifest: string) => string): Promise<void> {
  const { directory } = await ensureTestContent();
  const manifest = change(await readFile(join(directory, 'manifest.mpd'), 'utf8'));
  edge.fault = ({ pathname }) =>
    pathname.endsWith('.mpd')
      ? new Response(manifest, { headers: { 'Content-Type': 'application/dash+xml' } })
      : undefined;
}

test('a single rung is chosen and paced', async ({ page, edge }) => {
  await serveManifest(edge, (mpd) => mpd.replace(/<Representation id="v(?!700)\d+"[^>]*\/>/g, ''));
  await play(page, edge);
  const video = (await pacedSegments(page, 2)).filter(({ media_type }) => media_type === 'video');
  expect(new Set(video.map(({ representation }) => representation))).toEqual(new Set(['v700']));
  // 3.2 to 2.8 times 700 kbit/s.
  const [first] = video.filter(isPacedVideo);
  expect(first?.requested_kbps).toBeGreaterThanOrEqual(2.8 * 700 - 100);
  expect(first?.requested_kbps).toBeLessThanOrEqual(3.2 * 700 + 100);
  await nothingThrown(page);
});

test('audio alone is paced by its own ladder', async ({ page, edge }) => {
  await serveManifest(edge, (mpd) => mpd.replace(/<AdaptationSet id="0"[\s\S]*?<\/AdaptationSet>/, ''));
  await play(page, edge);
  await expect
    .poll(async () => (await decisions(page)).filter(({ requested_kbps }) => requested_kbps !== null).length)
    .toBeGreaterThan(3);
  const paced = (await decisions(page)).filter(({ requested_kbps }) => requested_kbps !== null);
  for (const { media_type, requested_kbps } of paced) {
    expect(media_type).toBe('audio');
    // Between 2.8 and 3.2 times 96 kbit/s, in steps of 100.
    expect([300, 400]).toContain(requested_kbps);
  }
  await playhead(page, 3);
  await nothingThrown(page);
});

test('a second period is paced too, without a new initial phase', async ({ page, edge }) => {
  await serveManifest(edge, (mpd) => {
    const period = /<Period[^>]*>([\s\S]*)<\/Period>/.exec(mpd)?.[1] ?? '';
    const periods = [0, 1].map(
      (index) => `<Period id="p${index}" start="PT${index * 8}S" duration="PT8S">${period}</Period>`,
    );
    return mpd.replace(/<Period[\s\S]*<\/Period>/, periods.join('')).replace('"PT24S"', '"PT16S"');
  });
  await play(page, edge);
  await playhead(page, 11);
  const all = await decisions(page);
  const second = all.filter(({ segment_start_s }) => segment_start_s >= 8);
  expect(second.length).toBeGreaterThan(0);
  expect(second.map(({ phase }) => phase)).toEqual(second.map(() => 'playing'));
  expect(second.every(({ requested_kbps }) => requested_kbps !== null)).toBe(true);
  await nothingThrown(page);
});

test('a live stream is paced above its bitrate, so that the buffer keeps up with the live edge, also while its manifest is patched', async ({
  page,
  edge,
}) => {
  const published = (second: number) => new Date(1_700_000_000_000 + second * 1000).toISOString();
  await serveManifest(edge, (mpd) => {
    const began = new Date(Date.now() - 12_000).toISOString();
    return mpd
      .replace(
        /type="static" mediaPresentationDuration="PT24S"/,
        `id="live" publishTime="${published(0)}" minimumUpdatePeriod="PT1S"
        type="dynamic" availabilityStartTime="${began}" timeShiftBufferDepth="PT30S" suggestedPresentationDelay="PT6S"`,
      )
      .replace(/<Period/, '<PatchLocation>patch</PatchLocation>$&');
  });
  const { fault } = edge;
  let patches = 0;
  edge.fault = (url) => {
    if (!url.pathname.endsWith('/patch')) return fault(url);
    const [before, after] = [published(patches++), published(patches)];
    return new Response(
      `<Patch xmlns="urn:mpeg:dash:schema:mpd-patch:2020" mpdId="live" originalPublishTime="${before}" publishTime="${after}">
        <replace sel="/MPD/@publishTime">${after}</replace>
      </Patch>`,
      { headers: { 'Content-Type': 'application/dash-patch+xml' } },
    );
  };
  await play(page, edge, { dash: { streaming: { utcSynchronization: { enabled: false } } } });
  const start = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
  await playhead(page, start + 6);
  expect(patches).toBeGreaterThan(2);
  const video = (await decisions(page)).filter(isPacedVideo);
  expect(video.length).toBeGreaterThan(1);
  for (const { requested_kbps, top_bitrate_kbps } of video) {
    expect(requested_kbps).toBeGreaterThan(2 * top_bitrate_kbps);
  }
  await noPaceStalls(page);
  await nothingThrown(page);
});

test('a seek beyond the buffer is unpaced until the buffer is safe, then paced', async ({ page, edge }) => {
  // With so short a buffer, a machine on which playback starts late has not yet fetched the place that is sought.
  await play(page, edge, {
    options: { safe_buffer_s: 3 },
    dash: { streaming: { buffer: shortBuffer('5', 4) } },
  });
  await pacedSegments(page, 1);
  const rebuffers = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const before = window.sammy.summary.rebuffer_count;
        const playing = () => {
          resolve(window.sammy.summary.rebuffer_count - before);
        };
        // dash.js, and with it Sammy, has listened for longer, and hears of it first.
        document.querySelector('video')?.addEventListener('playing', playing, { once: true });
        window.player.seek(14);
      }),
  );
  await playhead(page, 15);
  // The rest of the film has five segments of each media type.
  await expect
    .poll(async () => (await decisions(page)).filter(({ segment_start_s }) => segment_start_s >= 14).length)
    .toBeGreaterThanOrEqual(9);
  const all = await decisions(page);
  const sought = all.filter(
    ({ segment_start_s, media_type }) => segment_start_s >= 14 && media_type === 'video',
  );
  expect(sought[0]?.phase).toBe('recovery');
  expect(sought[0]?.requested_kbps).toBeNull();
  expect(sought.at(-1)?.phase).toBe('playing');
  // A seek does not count as a rebuffer.
  expect(rebuffers).toBe(0);
  await nothingThrown(page);
});

test('at double speed twice the pace is asked for', async ({ page, edge }) => {
  await play(page, edge, { options: { c0: 3, c1: 3 } });
  const single = (await pacedSegments(page, 2)).filter(isPacedVideo).at(-1);
  await page.evaluate(() => {
    window.player.setPlaybackRate(2);
  });
  const mark = await page.evaluate(() => window.requests.length);
  await expect
    .poll(async () => (await decisions(page)).filter((d) => d.sequence > mark && isPacedVideo(d)).length)
    .toBeGreaterThan(0);
  const double = (await decisions(page)).filter((d) => d.sequence > mark).find(isPacedVideo);
  expect(single?.requested_kbps).toBe(9900);
  expect(double?.playback_rate).toBe(2);
  expect(double?.requested_kbps).toBe(19_800);
  await nothingThrown(page);
});

for (const version of ['5', '4'] as const) {
  test(`dash.js ${version}: a bitrate limit applies to the ladder and to the pace`, async ({
    page,
    edge,
  }) => {
    await play(page, edge, {
      version,
      format: 'umd',
      dash: { streaming: { abr: { maxBitrate: { video: 1400 } } } },
    });
    const video = (await pacedSegments(page, 3)).filter(isPacedVideo);
    for (const { bitrate_kbps, top_bitrate_kbps, requested_kbps } of video) {
      expect(bitrate_kbps).toBeLessThanOrEqual(1300);
      expect(top_bitrate_kbps).toBe(1300);
      expect(requested_kbps).toBeLessThan(2 * 3300);
    }
    await nothingThrown(page);
  });
}

/** Makes a box of ISO/IEC 14496-12: its length, its type, its content. */
function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + body.length);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

const uint32 = (...values: number[]): Buffer => {
  const buffer = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => buffer.writeUInt32BE(value, 4 * index));
  return buffer;
};

/** Makes a segment index: version 0, timescale 1000, one reference of 2 s per segment, each starting with a key frame. */
const sidx = (sizes: readonly number[]): Buffer =>
  box(
    'sidx',
    uint32(0, 1, 1000, 0, 0),
    uint32(sizes.length),
    ...sizes.map((size) => uint32(size, 2000, 0x9000_0000)),
  );

test('with one file per representation, segment sizes come from its index', async ({ page, edge }) => {
  const { directory } = await ensureTestContent();
  const onDemand = await mkdtemp(join(tmpdir(), 'dashjs-sammy-e2e-'));
  try {
    const indexes = new Map<string, { init: number; index: number }>();
    for (const id of ['v300', 'v700', 'v1300', 'v2100', 'v3300', 'a96']) {
      const init = await readFile(join(directory, id, 'init.mp4'));
      const segments = await Promise.all(
        Array.from({ length: 12 }, (_, index) => readFile(join(directory, id, `${index + 1}.m4s`))),
      );
      const index = sidx(segments.map(({ length }) => length));
      await writeFile(join(onDemand, `${id}.mp4`), Buffer.concat([init, index, ...segments]));
      indexes.set(id, { init: init.length, index: index.length });
    }
    const manifest = (await readFile(join(directory, 'manifest.mpd'), 'utf8'))
      .replace(/<SegmentTemplate[^>]*\/>/g, '')
      .replace(
        /<Representation id="(\w+)"([^>]*?)\/?>(?:\s*(<AudioChannel[^>]*>)\s*<\/Representation>)?/g,
        (_, id: string, rest: string, audio = '') => {
          const { init = 0, index = 0 } = indexes.get(id) ?? {};
          const ranges = `indexRange="${init}-${init + index - 1}"><Initialization range="0-${init - 1}"/>`;
          return `<Representation id="${id}"${rest}>${String(audio)}<BaseURL>${id}.mp4</BaseURL><SegmentBase timescale="1000" ${ranges}</SegmentBase></Representation>`;
        },
      );
    await writeFile(join(onDemand, 'manifest.mpd'), manifest);
    const other = await startTestEdge(onDemand);
    try {
      await play(page, edge, { mpd: `${other.url}/content/manifest.mpd` });
      const top = (await pacedSegments(page, 4)).filter((decision) => isPacedVideo(decision)).at(-1);
      // With nominal sizes Eq. 1 would be 3300 / 0.8 / (1 + B / 10 s). The real sizes give another bound.
      const nominal = 3300 / 0.8 / (1 + (top?.buffer_s ?? 0) / 10);
      expect(top?.bound_kbps).toBeGreaterThan(0);
      expect(Math.abs((top?.bound_kbps ?? nominal) / nominal - 1)).toBeGreaterThan(0.003);
      await nothingThrown(page);
    } finally {
      await other.close();
    }
  } finally {
    await rm(onDemand, { recursive: true });
  }
});

test('a manifest without bitrates gives one warning and no pace', async ({ page, edge }) => {
  await serveManifest(edge, (mpd) => mpd.replace(/ bandwidth="\d+"/g, ''));
  await play(page, edge);
  await expect.poll(() => page.evaluate(() => window.warnings.length)).toBeGreaterThan(0);
  await playhead(page, 3);
  const warnings = await page.evaluate(() => window.warnings);
  expect(warnings).toContain('the manifest gives no bitrates for video');
  expect(new Set(warnings).size).toBe(warnings.length);
  expect(segmentsOf(edge.responses).every(({ pace_kbps }) => pace_kbps === null)).toBe(true);
  expect(await page.evaluate(() => window.failures)).toEqual([]);
});
