import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ensureTestContent } from '../media/sources/footage.ts';
import type { CompletedDecision } from '../src/index.ts';
import { root } from '../tools/steps.ts';
import {
  decisions,
  expect,
  isPacedVideo,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  shortBuffer,
  test,
} from './support/fixtures.ts';
import { lowLatencyOrigin } from './support/low-latency-origin.ts';
import type { TestEdge } from './support/test-edge.ts';

const MODEL = '/models/fugu-ttp.bin';
const fugu = { model: MODEL };

/** Waits for a video segment, decided after `mark`, whose reason matches, and returns it. */
async function chosenFor(page: Page, reason: RegExp, mark = 0): Promise<CompletedDecision> {
  const found = async () =>
    (await decisions(page)).find(
      ({ media_type, sequence, abr_reason }) =>
        media_type === 'video' && sequence >= mark && reason.test(abr_reason),
    );
  await expect
    .poll(async () => (await found()) !== undefined, { message: `a segment chosen for ${String(reason)}` })
    .toBe(true);
  const segment = await found();
  if (!segment) throw new Error('the decision is gone');
  return segment;
}

const fuguWarnings = (page: Page) => page.evaluate(() => window.fuguWarnings);

/** Expects no warnings from Fugu or Sammy. */
async function allWell(page: Page): Promise<void> {
  expect(await fuguWarnings(page)).toEqual([]);
  await nothingThrown(page);
}

/** Returns a function that returns how often the page has requested the model since this call. */
function requestsForModel(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('.bin')) count++;
  });
  return () => count;
}

/** Answers requests for the model with `answer`. */
function serveModel(
  edge: TestEdge,
  answer: () => Response | undefined | Promise<Response | undefined>,
): void {
  edge.fault = (url) => (url.pathname === MODEL ? answer() : undefined);
}

for (const version of ['5', '4'] as const) {
  test(`dash.js ${version}: Fugu plans with the receipts, and requests the paces that its plans need; when attached again, it has its model`, async ({
    page,
    edge,
  }) => {
    const requests = requestsForModel(page);
    await play(page, edge, { version, format: 'umd', fugu });
    await pacedSegments(page, 3);
    const planned = await chosenFor(page, /^plan by (SSIM|bitrate)$/);
    expect(planned.last_receipt?.tcp_state).toContain('delivery_kbps=');
    const reasons = (await decisions(page)).filter(isPacedVideo).map(({ pace_reason }) => pace_reason);
    // Only video: audio uses the video's pace.
    const own = ['least-pace', 'raised-to-segment-bitrate'];
    expect(reasons.some((reason) => own.includes(reason))).toBe(true);
    await allWell(page);

    await page.evaluate(() => {
      window.sammy.detach();
      window.attach();
    });
    await chosenFor(page, /^plan by/);
    expect((await decisions(page)).filter(({ abr_reason }) => abr_reason.startsWith('HYB'))).toEqual([]);
    expect(requests()).toBe(1);
    await allWell(page);
  });
}

test('a model that arrives in the middle of a session is used from then on; until then HYB chooses, paced', async ({
  page,
  edge,
}) => {
  let send: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (send = resolve));
  serveModel(edge, () => asked.then(() => undefined));
  await play(page, edge, { fugu });
  const before = await chosenFor(page, /^HYB, the model is not there yet: /);
  await pacedSegments(page, 2);
  send();
  const after = await chosenFor(page, /^plan by/, before.sequence);
  expect(after.sequence).toBeGreaterThan(before.sequence);
  await allWell(page);
});

test('with any error of the model, HYB continues, and one warning states the error', async ({
  page,
  edge,
}) => {
  const model = await readFile(join(root, MODEL));
  // A server on another origin that does not allow reading its responses.
  const other = createServer((_, response) => response.end(model)).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  // The page's Content Security Policy allows this server, but not https://other.example.
  await page.route('**/player.html*', async (route) => {
    const response = await route.fetch();
    const policy = `connect-src 'self' ${elsewhere}`;
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } });
  });
  const answers = new Map<string, () => Response>([
    ['/models/missing.bin', () => new Response('', { status: 404 })],
    ['/models/page.bin', () => new Response('<!doctype html><title>The application</title>')],
    ['/models/half.bin', () => new Response(model.subarray(0, model.length / 2))],
  ]);
  edge.fault = ({ pathname }) => answers.get(pathname)?.();
  try {
    const forbidden = "forbidden by CORS or by the page's Content Security Policy";
    const cases: readonly [model: string, why: string][] = [
      [`${elsewhere}/model.bin`, forbidden],
      ['https://other.example/model.bin', forbidden],
      ['/models/page.bin', 'it is no model of transmission times, but HTML or XML'],
      ['/models/half.bin', 'it is truncated'],
      ['/models/missing.bin', 'HTTP status 404'],
    ];
    await play(page, edge, { fugu: { model: cases[0]?.[0] ?? '' } });
    for (const [index, [source, why]] of cases.entries()) {
      if (index > 0) {
        await page.evaluate((model) => {
          const algorithm = window.makeFugu({ model });
          window.sammy.update({ abr: algorithm, pace: algorithm });
        }, source);
      }
      await expect.poll(async () => (await fuguWarnings(page)).at(-1)).toContain(`no model at '${source}': `);
      expect((await fuguWarnings(page)).at(-1)).toContain(why);
    }
    const mark = await page.evaluate(() => window.requests.length);
    const chosen = await chosenFor(page, /^HYB, no model: HTTP status 404: /, mark);
    expect(chosen.requested_kbps).not.toBeNull();
    // One warning per URL, although each URL was requested repeatedly.
    expect(await fuguWarnings(page)).toHaveLength(cases.length);
    await nothingThrown(page);
  } finally {
    other.close();
  }
});

test('two players share a fugu(); if one is destroyed while the model loads, the other continues', async ({
  page,
  edge,
}) => {
  let send: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (send = resolve));
  serveModel(edge, () => asked.then(() => undefined));
  const requests = requestsForModel(page);
  await play(page, edge, { fugu });
  const destroyed = await page.evaluate(async () => {
    const video = document.createElement('video');
    video.muted = true;
    document.body.append(video);
    const { algorithm } = window;
    const player = window.dashjs.MediaPlayer().create();
    const handle = window.attachSammy(player, { abr: algorithm, pace: algorithm });
    const warnings: string[] = [];
    handle.on('warning', ({ message }) => warnings.push(message));
    player.initialize(video, '/content/manifest.mpd', true);
    await new Promise<void>((resolve) => {
      handle.on('decision', () => {
        resolve();
      });
    });
    player.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    return warnings;
  });
  expect(destroyed).toEqual([]);
  send();
  await chosenFor(page, /^plan by/);
  expect(requests()).toBe(1);
  await allWell(page);
});

test('without receipts, and with only the features of the oldest supported browser, Fugu plans without TCP', async ({
  page,
  edge,
}) => {
  edge.ignoresRtp = true;
  await page.addInitScript(() => {
    // Remove functions that Chrome 98, Firefox 104 and Safari 15.4 do not have.
    const typed = Object.getPrototypeOf(Uint8Array.prototype) as object;
    for (const owner of [Array.prototype, typed])
      for (const name of ['toReversed', 'toSorted', 'toSpliced', 'with']) Reflect.deleteProperty(owner, name);
    for (const [owner, name] of [
      [AbortSignal, 'timeout'],
      [AbortSignal, 'any'],
      [Promise, 'withResolvers'],
      [Object, 'groupBy'],
      [Map, 'groupBy'],
      [Array, 'fromAsync'],
    ] as const)
      Reflect.deleteProperty(owner, name);
  });
  await play(page, edge, { fugu });
  await chosenFor(page, /^plan by (SSIM|bitrate) without TCP$/);
  expect(await fuguWarnings(page)).toEqual([]);
  expect(await page.evaluate(() => window.failures)).toEqual([]);
});

test('low-latency live: Fugu plans, and nothing is paced', async ({ page, edge }) => {
  edge.fault = await lowLatencyOrigin((await ensureTestContent()).directory);
  const dash = {
    streaming: {
      delay: { liveDelay: 3 },
      utcSynchronization: { enabled: false },
      buffer: shortBuffer('5'),
    },
  };
  await play(page, edge, { format: 'umd', dash, fugu });
  const { sequence } = await chosenFor(page, /^plan by/);
  const start = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
  await playhead(page, start + 4);
  const later = (await decisions(page)).filter((each) => each.sequence > sequence);
  expect(later.every(({ requested_kbps }) => requested_kbps === null)).toBe(true);
  await allWell(page);
});
