import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeCmcd } from '@svta/cml-cmcd';
import type { ResponseEvent } from '../edge/local/server.ts';
import { SEGMENT_S } from '../media/ladder.ts';
import { ensureTestContent } from '../media/sources/footage.ts';
import { CELLS, parseCmcd, isInGate, listen, testCell, type Cmcd } from './support/cells/cmcd.ts';
import {
  expect,
  isPacedVideo,
  nothingThrown,
  pacedSegments,
  play,
  shortBuffer,
  STEADY,
  test,
} from './support/fixtures.ts';
import { selectSegments } from './support/test-edge.ts';

for (const cell of CELLS.filter(isInGate)) testCell(cell);

for (const enabled of [true, false]) {
  test(`dash.js 5: CMCD v2 events report the rtp that was sent, with CMCD in requests ${enabled ? 'on' : 'off'}`, async ({
    page,
    edge,
  }) => {
    const reports: string[] = [];
    await page.route('**/events', async (route) => {
      reports.push(...(route.request().postData() ?? '').split('\n').filter((line) => line !== ''));
      await route.fulfill({ status: 204 });
    });
    const target = { enabled: true, url: `${edge.url}/events`, events: ['rr'], interval: 0 };
    const eventTargets = [{ ...target, enabledKeys: ['rc', 'rtp', 'url'] }];
    await play(page, edge, {
      dash: { streaming: { cmcd: { enabled, version: 2, enabledKeys: ['br', 'rtp'], eventTargets } } },
    });
    const findReport = (event: ResponseEvent) =>
      reports
        .map((report) => decodeCmcd(report) as Cmcd)
        .find(({ url }) => typeof url === 'string' && urlPath(url) === urlPath(event.url));
    const told = () => selectSegments(edge.responses).filter(findReport);
    await expect.poll(() => told().filter(({ asked_kbps }) => asked_kbps !== null).length).toBeGreaterThan(1);
    for (const event of told()) expect(findReport(event)?.rtp ?? null).toBe(event.asked_kbps);
  });
}

/** Reads the number in `mtp`. In CMCD v2, it is in an inner list, with the media type (CTA-5004-B). */
const readNumber = (mtp: unknown, cmcd: 1 | 2): unknown => {
  if (cmcd === 1) return mtp;
  expect(mtp).toEqual([{ value: expect.any(Number) as unknown, params: { v: true } }]);
  return (mtp as [{ value: unknown }])[0].value;
};

for (const [cmcd, mode] of [
  [1, 'headers'],
  [2, 'query'],
] as const) {
  test(`dash.js 5, CMCD v${cmcd} by ${mode}: mtp is Sammy's estimate of the network, not the pace`, async ({
    page,
    edge,
  }) => {
    const requests = listen(page);
    const keys = { enabled: true, version: cmcd, mode, enabledKeys: ['mtp', 'rtp'] };
    await play(page, edge, { options: STEADY, dash: { streaming: { cmcd: keys } } });
    const decided = (await pacedSegments(page, 5)).filter(isPacedVideo);
    const said = decided.flatMap(({ representation, segment_start_s, requested_kbps, estimate_kbps }) => {
      const path = `/content/${representation}/${Math.round(segment_start_s / SEGMENT_S) + 1}.m4s`;
      const carried = requests.filter((request) => urlPath(request.url()) === path).map(parseCmcd);
      const { mtp } = carried.find(({ keys }) => keys.rtp === requested_kbps)?.keys ?? {};
      // dash.js sends no mtp while all downloads were so fast that it considered them cached.
      return mtp === undefined ? [] : [{ mtp: readNumber(mtp, cmcd), estimate_kbps }];
    });
    expect(said.length).toBeGreaterThan(2);
    for (const { mtp, estimate_kbps } of said) {
      // CTA-5004 requires rounding to the nearest 100 kbit/s.
      expect(mtp).toBe(Math.round((estimate_kbps ?? NaN) / 100) * 100);
    }
    await nothingThrown(page);
  });
}

const urlPath = (url: string) => new URL(url, 'http://edge').pathname;

for (const [query, by] of [
  // A signature may contain these characters, and dash.js 4.7 would encode them again: `~` as `%7E`, `%2c` as `%2C`.
  ['sign=a~b%2c', 'headers'],
  ['sign=ab', 'query'],
] as const) {
  test(`dash.js 4.7 sends rtp by ${by} if the URL has ?${query}, and does not change this query`, async ({
    page,
    edge,
  }) => {
    const { directory } = await ensureTestContent();
    const manifest = await readFile(join(directory, 'manifest.mpd'), 'utf8');
    edge.fault = ({ pathname }) =>
      pathname.endsWith('.mpd')
        ? new Response(manifest.replaceAll('.m4s"', `.m4s?${query}"`), {
            headers: { 'Content-Type': 'application/dash+xml' },
          })
        : undefined;
    await play(page, edge, {
      version: '4',
      format: 'umd',
      options: { cmcd: 'query' },
      dash: { streaming: { buffer: shortBuffer('4') } },
    });
    const asking = () => selectSegments(edge.responses).filter(({ asked_kbps }) => asked_kbps !== null);
    await expect.poll(() => asking().length).toBeGreaterThan(2);
    for (const { url } of selectSegments(edge.responses))
      expect(url.split('?')[1]?.split('&')[0]).toBe(query);
    for (const { url } of asking()) expect(url.includes('CMCD=')).toBe(by === 'query');
  });
}
