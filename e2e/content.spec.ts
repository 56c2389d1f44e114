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
  STEADY,
  test,
} from './support/fixtures.ts';
import { startTestEdge, type TestEdge } from './support/test-edge.ts';

/** Serves the test film with a changed manifest. */
async function serveManifest(edge: TestEdge, change: (manifest: string) => string): Promise<void> {
  const { directory } = await ensureTestContent();
  const manifest = change(await readFile(join(directory, 'manifest.mpd'), 'utf8'));
  edge.fault = ({ pathname }) =>
    pathname.endsWith('.mpd')
      ? new Response(manifest, { headers: { 'Content-Type': 'application/dash+xml' } })
      : undefined;
}

test('a live stream is paced above its bitrate, so that the buffer keeps up with the live edge, even while its manifest is patched', async ({
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
  edge.fault = (url, request) => {
    if (!url.pathname.endsWith('/patch')) return fault(url, request);
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

/** Makes a box of ISO/IEC 14496-12 from its type and content. */
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
      await play(page, edge, { options: STEADY, mpd: `${other.url}/content/manifest.mpd` });
      const top = (await pacedSegments(page, 4)).filter((decision) => isPacedVideo(decision)).at(-1);
      // With nominal sizes, the bound of Sammy's Eq. 1 (β = 0.8, D_T = 10 s) would be as follows. Real sizes give
      // another bound.
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
