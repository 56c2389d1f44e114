import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { kbps } from '../../../src/units.ts';
import { CHANGE_KEY, CHANGE_OFFER, CHANGE_PATH, FLOOR_KEY, PLUGIN_KEY } from '../../../src/wire/rtp.ts';
import { createHandler } from '../../handler.ts';
import { paceLimits } from '../../policy.ts';
import { startEdge, type Edge, type ResponseEvent } from '../server.ts';
import { PaceChanges } from './pace-changes.ts';
import { takeChanges } from './take-changes.ts';

const SECRET = '0123456789abcdef0123456789abcdef';
const OTHER = 'f'.repeat(32);
const SEGMENT_BYTES = 1_000_000;

let edge: Edge | undefined;
afterEach(() => edge?.close());

async function serve() {
  const changes = new PaceChanges();
  const events: ResponseEvent[] = [];
  const limits = paceLimits({ ceiling_kbps: 50_000 });
  const handler = createHandler({
    origin: () => Promise.resolve(new Response(new Uint8Array(SEGMENT_BYTES))),
    limits,
  });
  edge = await startEdge({
    handler: takeChanges(handler, { limits: () => limits, apply: (change) => void changes.apply(change) }),
    changes,
    onResponse: (event) => events.push(event),
  });
  const { url, stats } = edge;
  const cmcd = (keys: readonly string[]) => `?CMCD=${encodeURIComponent([PLUGIN_KEY, ...keys].join(','))}`;
  return {
    changes,
    events,
    stats,
    get: (...keys: string[]) => fetch(`${url}/1.m4s${cmcd(keys)}`),
    change: (...keys: string[]) => fetch(`${url}${CHANGE_PATH}${cmcd(keys)}`, { method: 'POST' }),
  };
}

const secret = (text: string) => `${CHANGE_KEY}="${text}"`;

const missing = process.platform === 'linux' ? undefined : 'not Linux';

it.skipIf(missing !== undefined)(
  'changes the pace of a response in flight whose receipt offers it',
  async () => {
    const { get, change, stats, events, changes } = await serve();
    const begun = performance.now();
    // 1 MB takes 20 s at 400 kbit/s.
    const response = await get('rtp=400', secret(SECRET));
    expect(response.headers.get('server-timing')).toMatch(new RegExp(`, ${CHANGE_OFFER}$`));
    expect((await change('rtp=40000', secret(SECRET))).status).toBe(204);
    expect(stats.changedPaces).toBe(1);
    expect((await response.arrayBuffer()).byteLength).toBe(SEGMENT_BYTES);
    // 1 MB takes 0.2 s at 40,000 kbit/s, and longer on a busy machine.
    expect(performance.now() - begun).toBeLessThan(10_000);
    while (events.length === 0) await sleep(10);
    expect(events[0]).toMatchObject({ pace_kbps: 400, kept_pace: false, complete: true });
    expect(events[0]?.tcp?.max_pacing_rate).toBe((40_000 * 1000) / 8);
    expect(changes.size).toBe(0);
  },
);

it.skipIf(missing !== undefined)(
  'ignores a wrong, expired or short secret, without an error message',
  async () => {
    const { get, change, stats } = await serve();
    const response = await get('rtp=20000', secret(SECRET));
    expect((await change('rtp=100', secret(OTHER))).status).toBe(204);
    expect((await change('rtp=100', secret('0'))).status).toBe(400);
    expect((await change('rtp=100')).status).toBe(400);
    expect((await change('rtp=-1', secret(SECRET))).status).toBe(400);
    await response.arrayBuffer();
    await sleep(100);
    expect((await change('rtp=100', secret(SECRET))).status).toBe(204);
    expect(stats.changedPaces).toBe(0);
  },
);

it.skipIf(missing !== undefined)(
  'never sets a pace below the bitrate or the needed rate, or above the ceiling',
  async () => {
    const { get, change, events } = await serve();
    const last = async (bitrate: number, ...rates: number[]) => {
      const count = events.length;
      const response = await get('rtp=20000', `br=${bitrate}`, `${FLOOR_KEY}=8000`, secret(SECRET));
      for (const rate of rates) await change(`rtp=${rate}`, secret(SECRET));
      await response.arrayBuffer();
      while (events.length === count) await sleep(10);
      return ((events.at(-1)?.tcp?.max_pacing_rate ?? 0) * 8) / 1000;
    };
    expect(await last(7000, 100)).toBe(8000);
    expect(await last(7000, 100, 900_000)).toBe(50_000);
    // A claimed bitrate never raises the pace above the initial one.
    expect(await last(900_000, 100)).toBe(20_000);
  },
);

it.skipIf(missing !== undefined)('does not change another session’s response', async () => {
  const { get, change, events } = await serve();
  const session = (sid: string) => [`sid="${sid}"`, `cid="film"`];
  const [theirs, own] = await Promise.all([
    get('rtp=20000', secret(SECRET), ...session('viewer')),
    get('rtp=20000', secret(OTHER), ...session('hostile')),
  ]);
  for (const rtp of [100, 50_000])
    expect((await change(`rtp=${rtp}`, secret(OTHER), ...session('viewer'))).status).toBe(204);
  await Promise.all([theirs.arrayBuffer(), own.arrayBuffer()]);
  while (events.length < 2) await sleep(10);
  const rates = events.map(({ tcp }) => ((tcp?.max_pacing_rate ?? 0) * 8) / 1000);
  expect(rates.toSorted((a, b) => a - b)).toEqual([20_000, 50_000]);
});

it.skipIf(missing !== undefined)('accepts at most a hundred changes per response', async () => {
  const { get, change, events, stats, changes } = await serve();
  // 1 MB takes 4 s at 2000 kbit/s.
  const response = await get('rtp=2000', 'br=2000', secret(SECRET));
  for (let count = 0; count < 100; count++) await change(`rtp=${2000 + count}`, secret(SECRET));
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async () => (await change('rtp=50000', secret(SECRET))).status),
  );
  expect(new Set(statuses)).toEqual(new Set([204]));
  expect(stats.changedPaces).toBe(100);
  await response.arrayBuffer();
  while (events.length === 0) await sleep(10);
  expect(events[0]?.tcp?.max_pacing_rate).toBe((2099 * 1000) / 8);
  expect(changes.size).toBe(0);
});

it.each([
  ['rtp=100000000', 50_000, null],
  ['rtp=9000,FLOOR=100000000', 9000, 9000],
  ['rtp=9000,FLOOR=1000000000000', 9000, null],
  ['rtp=9000,FLOOR="1e9"', 9000, null],
  ['rtp=9000,FLOOR=-1', 9000, null],
  ['rtp=9000,br=999999999999999', 9000, null],
  ['rtp=1,FLOOR=1', 300, 300],
  ['FLOOR=9000', null, null],
])('limits %s as the operator configured', async (keys, pace, floor) => {
  const wanted: unknown[] = [];
  const limits = paceLimits({ floor_kbps: 300, ceiling_kbps: 50_000 });
  const handler = takeChanges(() => Promise.reject(new Error('it is a change')), {
    limits: () => limits,
    yieldControl: 'yield1',
    apply: (change) => wanted.push(change.wanted),
  });
  const text = [PLUGIN_KEY, keys.replace('FLOOR', FLOOR_KEY), secret(SECRET)].join(',');
  const url = `http://edge${CHANGE_PATH}?CMCD=${encodeURIComponent(text)}`;
  expect((await handler(new Request(url, { method: 'POST' }))).status).toBe(204);
  const congestionControl = floor === null ? null : 'yield1';
  expect(wanted).toEqual([{ pace, floor, congestionControl }]);
});

it('ignores a secret that another response has, and limits the number of changes', () => {
  const changes = new PaceChanges();
  const wanted = { pace: kbps(5000), congestionControl: null, floor: null };
  const seen: string[] = [];
  const response = (name: string) => ({ least: null, change: () => seen.push(name) > 0 });
  const endFirst = changes.add(SECRET, response('first'));
  const endSecond = changes.add(SECRET, response('second'));
  endSecond();
  for (let count = 0; count < 200; count++) changes.apply({ secret: SECRET, wanted });
  expect(seen).toEqual(Array.from({ length: 100 }, () => 'first'));
  endFirst();
  expect(changes.apply({ secret: SECRET, wanted })).toBe(false);
  expect(changes.size).toBe(0);
});
