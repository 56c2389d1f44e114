import { missingChainReason, startChain, type Chain } from '../../../edge/chain.ts';
import { startEdge, type Edge } from '../../../edge/local/server.ts';
import { ensureTestContent } from '../../../media/sources/footage.ts';
import type { Origin } from '../../../edge/origin.ts';
import { socketPaces } from '../../../edge/testing/socket-paces.ts';
import type { CompletedDecision } from '../../../src/index.ts';
import {
  kibibytesPerSecond,
  kibibytesPerSecondToKbps,
  kbps,
  kbpsToKibibytesPerSecond,
} from '../../../src/units.ts';
import {
  decisions,
  expect,
  isPacedVideo,
  median,
  noPaceStalls,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  test,
} from '../../support/fixtures.ts';
import { testOrigin, type Fault } from '../../support/test-edge.ts';

// These tests play through the chain as it is deployed: Chromium with dash.js and the plug-in, Varnish, the compiled
// Compute service, and an origin.
const missing = await missingChainReason();
// Skipped without Varnish or Viceroy, whose installation takes a quarter of an hour; CI installs both.
test.skip(missing !== null, missing ?? '');

let content: Origin;
let fault: Fault = () => undefined;
let origin: Edge;
let chain: Chain;

const startOrigin = (port = 0): Promise<Edge> =>
  startEdge({
    handler: async (request) => (await fault(new URL(request.url), request)) ?? content(request),
    port,
  });

test.beforeAll(async () => {
  test.setTimeout(240_000);
  content = await testOrigin((await ensureTestContent()).directory);
  origin = await startOrigin();
  chain = await startChain({ origin: origin.url });
});
test.afterAll(async () => {
  await chain.close();
  await origin.close();
});
test.afterEach(async () => {
  fault = () => undefined;
  await chain.configure({});
});

/** Settings with which dash.js downloads all the time, because the buffer is short, and survives an outage. */
const FETCHING = {
  streaming: {
    buffer: { bufferTimeDefault: 4, bufferTimeAtTopQuality: 4, bufferTimeAtTopQualityLongForm: 4 },
    retryAttempts: { MediaSegment: 20 },
  },
};
const isSegment = ({ pathname }: URL) => /\/\d+\.m4s$/.test(pathname);
const currentTime = (page: import('@playwright/test').Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);

/** Rounds a pace like VCL: up to the next multiple of 1,024 bytes/s. */
const roundedByVcl = (pace: number): number =>
  kibibytesPerSecondToKbps(kibibytesPerSecond(Math.ceil(kbpsToKibibytesPerSecond(kbps(pace)))));

const appliedPaces = (all: readonly CompletedDecision[]): number[] =>
  all.flatMap(({ applied_kbps }) => (applied_kbps == null ? [] : [applied_kbps]));

for (const multiplier of [1.5, 3]) {
  test(`the throughput is the requested pace, ${multiplier} times the top bitrate`, async ({ page }) => {
    chain.log.length = 0;
    const inKernel = new Set<number>();
    const watching = setInterval(() => {
      void socketPaces(chain.varnish.port).then((paces) => {
        for (const pace of paces) inKernel.add(pace);
      });
    }, 100);
    try {
      await play(page, chain, { options: { c0: multiplier, c1: multiplier } });
      await pacedSegments(page, 5);
    } finally {
      clearInterval(watching);
    }
    const all = await decisions(page);
    const paced = all.filter(isPacedVideo);

    // The receipts contain the requested pace, rounded by VCL, and the kernel's sockets had exactly these paces.
    for (const { requested_kbps, applied_kbps } of paced) {
      expect(applied_kbps).toBeCloseTo(roundedByVcl(requested_kbps ?? 0), 2);
    }
    const applied = appliedPaces(all);
    const limited = [...inKernel].filter((pace) => pace < 1e7);
    expect(limited.length).toBeGreaterThan(0);
    for (const pace of limited) {
      expect(applied.some((value) => Math.abs(value - pace) < 0.01)).toBe(true);
    }
    // Compute logged the requested pace of each segment. The log may arrive after the segment.
    const logged = () =>
      chain.log.map((line) => (JSON.parse(line) as { asked_kbps: number | null }).asked_kbps);
    for (const { requested_kbps } of paced) await expect.poll(logged).toContain(requested_kbps);

    // Only the pace limits the throughput. The tolerance is wide because a packet on loopback has 64 kB.
    const ratios = paced.map(({ achieved_kbps, applied_kbps }) => (achieved_kbps ?? 0) / (applied_kbps ?? 1));
    expect(median(ratios)).toBeGreaterThan(0.6);
    expect(median(ratios)).toBeLessThan(1.5);
    await nothingThrown(page);
  });
}

test("while the edge's configuration switches pacing off, playback continues unpaced, and is paced again afterwards", async ({
  page,
}) => {
  await play(page, chain, { dash: FETCHING });
  await pacedSegments(page, 2);
  const laterVideo = async (count: number): Promise<CompletedDecision[]> => {
    const mark = (await decisions(page)).length;
    await expect
      .poll(async () => (await decisions(page)).length - mark, { timeout: 20_000 })
      .toBeGreaterThan(count);
    // Requests that were in flight at the switch may have either pace.
    return (await decisions(page)).slice(mark + 2);
  };
  await chain.configure({ pacing: 'off' });
  const unpaced = await laterVideo(4);
  expect(unpaced.map(({ applied_kbps }) => applied_kbps)).toEqual(unpaced.map(() => null));
  await chain.configure({ pacing: 'on' });
  const again = await laterVideo(4);
  expect(appliedPaces(again).length).toBeGreaterThan(0);
  await playhead(page, (await currentTime(page)) + 2);
  await noPaceStalls(page);
  // The receipts state that the edge did not pace. The plug-in may warn about that once; there must be no other
  // problem.
  expect(await page.evaluate(() => window.failures)).toEqual([]);
  const warnings = await page.evaluate(() => window.warnings);
  for (const warning of warnings) expect(warning).toContain('does not pace');
  expect(warnings.length).toBeLessThanOrEqual(1);
});

test('when the origin is down for 2 s, segments are requested again and playback continues, paced', async ({
  page,
}) => {
  await play(page, chain, { dash: FETCHING });
  await pacedSegments(page, 2);
  await origin.close();
  await page.waitForTimeout(2000);
  origin = await startOrigin(origin.port);
  await playhead(page, (await currentTime(page)) + 6);
  await expect.poll(async () => appliedPaces((await decisions(page)).slice(-3)).length).toBeGreaterThan(0);
  await nothingThrown(page);
});

test('when the origin takes 1.5 s to the first byte of each segment, playback continues', async ({
  page,
}) => {
  await play(page, chain, { dash: FETCHING });
  await pacedSegments(page, 2);
  fault = async (url) => {
    if (isSegment(url)) await new Promise((resolve) => setTimeout(resolve, 1500));
    return undefined;
  };
  await playhead(page, (await currentTime(page)) + 6);
  await nothingThrown(page);
});

test('when the origin sends less than its Content-Length, segments are requested again and playback continues', async ({
  page,
}) => {
  await play(page, chain, { dash: FETCHING });
  await pacedSegments(page, 2);
  let cut = 0;
  fault = (url) => {
    if (!isSegment(url) || cut >= 2) return undefined;
    cut += 1;
    return new Response(cutShort(), { headers: { 'Content-Length': '100000', 'Content-Type': 'video/mp4' } });
  };
  await playhead(page, (await currentTime(page)) + 8);
  expect(cut).toBe(2);
  await nothingThrown(page);
});

const cutShort = (): ReadableStream<Uint8Array> => {
  let begun = false;
  return new ReadableStream({
    pull(controller) {
      if (begun) controller.error(new Error('the disk is gone'));
      else controller.enqueue(new Uint8Array(10_000));
      begun = true;
    },
  });
};
