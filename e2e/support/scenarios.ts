import { setTimeout as sleep } from 'node:timers/promises';
import { ensureTestContent } from '../../media/sources/footage.ts';
import type { CompletedDecision } from '../../src/index.ts';
import {
  decisions,
  expect,
  isPacedVideo,
  median,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  shortBuffer,
  STEADY,
  type DrivenPage,
  type PlayOptions,
} from './fixtures.ts';
import { selectSegments, startTestEdge, type TestEdge } from './test-edge.ts';

/** The MTU of the loopback interface. */
const LOOPBACK_PACKET_BYTES = 65_536;

const isSegment = ({ pathname }: URL) => /\/\d+\.m4s$/.test(pathname);

/**
 * Returns settings for a short buffer. With it, the player downloads all the time, and thus also when the fault occurs.
 */
const shortBufferSettings = ({ version }: PlayOptions) => ({
  streaming: { buffer: shortBuffer(version, 4) },
});

/** Plays, and expects no pace before playback starts, and the requested pace for every segment after that. */
export async function playsAndPaces(page: DrivenPage, edge: TestEdge, player: PlayOptions): Promise<void> {
  await play(page, edge, player);
  expect(await page.evaluate(() => window.player.getVersion())).toContain(`${player.version ?? '5'}.`);
  const all = await pacedSegments(page, 5);
  await nothingThrown(page);

  // Segments before the start of playback have no pace. All later segments, video and audio, have a pace.
  const initial = all.filter(({ phase }) => phase === 'initial');
  const playing = all.filter(({ phase }) => phase === 'playing');
  expect(initial.length).toBeGreaterThan(0);
  expect(initial.map(({ requested_kbps }) => requested_kbps)).toEqual(initial.map(() => null));
  // Exceptions: urgent segments, on a machine too busy to fill the buffer in time, audio beside an urgent video segment,
  // and segments requested next to the first request with rtp.
  const unpaced = playing.filter(({ requested_kbps }) => requested_kbps === null);
  const isUrgent = unpaced.some(
    ({ media_type, pace_reason }) => media_type === 'video' && pace_reason === 'urgent',
  );
  const reasons = ['urgent', 'rtp-untried', ...(isUrgent ? ['as-video'] : [])];
  for (const { pace_reason } of unpaced) expect(reasons).toContain(pace_reason);
  expect(new Set(playing.map(({ media_type }) => media_type))).toEqual(new Set(['video', 'audio']));

  // The edge's log agrees: first unpaced responses, then only responses at exactly the requested pace.
  const served = selectSegments(edge.responses);
  const firstPaced = served.findIndex(({ asked_kbps }) => asked_kbps !== null);
  expect(firstPaced).toBeGreaterThan(0);
  const after = served.slice(firstPaced);
  for (const { asked_kbps, pace_kbps } of after) expect(pace_kbps).toBe(asked_kbps);
  // Unpaced requests are replacements of the segment that is playing, and urgent segments. On a busy machine, a
  // download that began before playback may end after its start.
  const told = await page.evaluate(() => window.requests.map(({ requested_kbps }) => requested_kbps));
  const isUnpaced = (pace: number | null) => pace === null;
  const askedUnpaced = served.map(({ asked_kbps }) => asked_kbps).filter(isUnpaced);
  expect(askedUnpaced.length).toBeLessThanOrEqual(told.filter(isUnpaced).length);
  // A request that dash.js gave up has no receipt, for example when it replaces a low first segment.
  const completed = playing.filter((each) => each.requested_kbps !== null && each.outcome === 'completed');
  for (const { requested_kbps, applied_kbps } of completed) expect(applied_kbps).toBe(requested_kbps);

  expectThroughputOfPaces(all);
}

/** Expects that segments arrive at their pace, because loopback is faster. */
function expectThroughputOfPaces(all: readonly CompletedDecision[]): void {
  // Leave out the first packet, because it is sent at once. It can be a third of a segment of a low rung, which Sammy
  // may choose on a busy machine.
  const ratios = all
    .filter(isPacedVideo)
    .map(
      ({ size_bytes, download_ms, applied_kbps }) =>
        ((size_bytes - LOOPBACK_PACKET_BYTES) * 8) / download_ms / (applied_kbps ?? 1),
    );
  // A busy machine delays most segments in Firefox, but makes none faster.
  expect(Math.max(...ratios)).toBeGreaterThan(0.6);
  expect(median(ratios)).toBeLessThan(1.5);
}

/**
 * Keeps the page busy while segments arrive, so that their events come late, and expects that the measured throughputs
 * are still correct.
 */
export async function measuresInABusyPage(
  page: DrivenPage,
  edge: TestEdge,
  player: PlayOptions,
): Promise<void> {
  // With a short buffer, there are segments left to pace even if playback starts late.
  await play(page, edge, { ...player, options: STEADY, dash: shortBufferSettings(player) });
  await page.evaluate(() => {
    window.sammy.on('request', ({ media_type, requested_kbps }) => {
      if (media_type !== 'video' || requested_kbps === null) return;
      // The delay lets the page send the request. The paced response then arrives long before the page is idle again.
      setTimeout(() => {
        const until = performance.now() + 1500;
        while (performance.now() < until);
      }, 100);
    });
  });
  const mark = await page.evaluate(() => window.requests.length);
  expectThroughputOfPaces(await pacedSegments(page, 3, mark));
  await nothingThrown(page);
}

/**
 * Plays from an origin other than the page's, and expects that this origin applies the paces and that its receipts are
 * readable.
 */
export async function readsReceiptsOfAnotherOrigin(
  page: DrivenPage,
  edge: TestEdge,
  cmcd: 'query' | 'header',
  player: PlayOptions = {},
  { hidesTiming = false }: Partial<Pick<TestEdge, 'hidesTiming'>> = {},
): Promise<void> {
  const { directory } = await ensureTestContent();
  const other = await startTestEdge(directory);
  other.hidesTiming = hidesTiming;
  try {
    const options = { ...STEADY, cmcd };
    await play(page, edge, { ...player, options, mpd: `${other.url}/content/manifest.mpd` });
    await pacedSegments(page, 3);
    const paced = selectSegments(other.responses).filter(({ asked_kbps }) => asked_kbps !== null);
    expect(paced.length).toBeGreaterThanOrEqual(3);
    for (const { url, pace_kbps } of paced) {
      expect(url.includes('CMCD=')).toBe(cmcd === 'query');
      expect(pace_kbps).not.toBeNull();
    }
    const [decision] = (await decisions(page)).filter(isPacedVideo);
    expect(decision?.applied_kbps).toBe(decision?.requested_kbps);
    expect(decision?.edge_reason).toBe('requested');
    expect(decision?.rtt_ms).toBeGreaterThan(0);
    // The count may be above 0 even on loopback: when an ACK waits for a busy processor, TCP sends a probe.
    expect(decision?.retransmitted_bytes).toBeGreaterThanOrEqual(0);
    await nothingThrown(page);
  } finally {
    await other.close();
  }
}

/** Answers two requests for segments with `status`, and expects that the player repeats both and continues to play. */
export async function outlivesFailedSegments(
  page: DrivenPage,
  edge: TestEdge,
  status: number,
  player: PlayOptions = {},
): Promise<void> {
  let failures = 0;
  await play(page, edge, { ...player, dash: shortBufferSettings(player) });
  await pacedSegments(page, 2);
  edge.fault = (url) =>
    isSegment(url) && failures++ < 2 ? new Response('not now\n', { status }) : undefined;
  const at = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
  await playhead(page, at + 8);
  expect(failures).toBeGreaterThan(2);
  const failed = (await decisions(page)).filter(({ outcome }) => outcome === 'failed');
  // With dash.js 4.7, the plug-in records a failed attempt only if it repeats the request itself. It does that for the
  // first failure, not for the second.
  expect(failed.length).toBe(player.version === '4' ? 1 : 2);
  // The failures did not count as throughput, so the plug-in requests a pace again.
  await expect.poll(async () => (await decisions(page)).at(-1)?.requested_kbps).not.toBeNull();
  await nothingThrown(page);
}

/** Stops the edge and all its connections for 1.5 s, and expects that playback continues, paced. */
export async function outlivesARestartOfTheEdge(page: DrivenPage, player: PlayOptions = {}): Promise<void> {
  const { directory } = await ensureTestContent();
  let edge = await startTestEdge(directory);
  try {
    await play(page, edge, { ...player, options: STEADY, dash: shortBufferSettings(player) });
    await pacedSegments(page, 2);
    await edge.close();
    await sleep(1500);
    edge = await startTestEdge(directory, { port: edge.port });
    const at = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
    await playhead(page, at + 8);
    expect(edge.responses.some(({ pace_kbps }) => pace_kbps !== null)).toBe(true);
    await nothingThrown(page);
  } finally {
    await edge.close();
  }
}

/**
 * Plays from an edge that accepts credentials from the page's origin, and expects paces, receipts, and a cookie on
 * every request.
 */
export async function playsWithCookies(
  page: DrivenPage,
  edge: TestEdge,
  filmEdge: TestEdge,
  cmcd: 'query' | 'header',
  player: PlayOptions = {},
): Promise<void> {
  const cookies: (string | null)[] = [];
  filmEdge.fault = (_, { headers }) => {
    cookies.push(headers.get('Cookie'));
    return undefined;
  };
  await page.goto(`${edge.url}/empty.html`);
  // Two ports are different origins, but they share cookies (RFC 6265 §8.5).
  await page.evaluate(() => (document.cookie = 'ticket=film'));
  const mpd = `${filmEdge.url}/content/manifest.mpd`;
  await play(page, edge, { ...player, mpd, credentials: true, options: { ...STEADY, cmcd } });
  for (const { applied_kbps, requested_kbps, rtt_ms } of (await pacedSegments(page, 3)).filter(
    isPacedVideo,
  )) {
    expect(applied_kbps).toBe(requested_kbps);
    expect(rtt_ms).toBeGreaterThan(0);
  }
  expect(cookies.length).toBeGreaterThan(3);
  expect(new Set(cookies)).toEqual(new Set(['ticket=film']));
  await nothingThrown(page);
}

/** Plays behind a service worker that only fetches, and expects that Sammy measures throughput from its responses, and paces. */
export async function learnsBehindAServiceWorker(
  page: DrivenPage,
  edge: TestEdge,
  player: PlayOptions,
): Promise<void> {
  await play(page, edge, { ...player, worker: '/worker.js', options: STEADY });
  const all = await pacedSegments(page, 4);
  expect(all.at(-1)?.estimate_kbps).toBeGreaterThan(0);
  // Loopback is faster than any rung, although a busy machine may take a while to measure that.
  const top_kbps = all.find(isPacedVideo)?.top_bitrate_kbps;
  await expect
    .poll(async () => (await decisions(page)).filter(isPacedVideo).at(-1)?.bitrate_kbps)
    .toBe(top_kbps);
  expect((await decisions(page)).filter(({ from_cache }) => from_cache)).toEqual([]);
  for (const { applied_kbps, requested_kbps } of all.filter(isPacedVideo))
    expect(applied_kbps).toBe(requested_kbps);
  await nothingThrown(page);
}
