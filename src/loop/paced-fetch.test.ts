import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createHandler } from '../../edge/handler.ts';
import { directoryOrigin } from '../../edge/local/directory-origin.ts';
import { startEdge, type Edge, type ResponseEvent } from '../../edge/local/server.ts';
import { paceLimits } from '../../edge/policy.ts';
import { seededRandom } from '../../emulation/ground/statistics/random.ts';
import { pacedFetch, partRates } from './paced-fetch.ts';

const random = seededRandom(3);
const content = Buffer.from(Array.from({ length: 700_000 }, () => Math.floor(256 * random())));
let folder: string;
let edge: Edge;
const events: ResponseEvent[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paced-fetch-'));
  writeFileSync(join(folder, 'update.bin'), content);
  edge = await startEdge({
    handler: createHandler({ origin: await directoryOrigin(folder), limits: paceLimits() }),
    onResponse: (event) => events.push(event),
  });
});
afterAll(async () => {
  await edge.close();
  rmSync(folder, { recursive: true });
});

it('chooses the lowest sufficient pace, in parts of 20 s', () => {
  // 90 Mbit in 100 s at a goodput of 0.9 need 1 Mbit/s.
  expect(partRates(11_250_000, 100, false)).toEqual({ pace: 1000, floor: 1000, bytes: 2_500_000 });
  expect(partRates(11_250_000, 100, true)).toEqual({ pace: 2000, floor: 1000, bytes: 2_500_000 });
  // After the deadline, a tenth of a second is assumed to be left.
  expect(partRates(1_125_000, -5, false).pace).toBe(100_000);
});

it('fetches the entire content in paced parts', async () => {
  const response = await pacedFetch(`${edge.url}/update.bin`, { deadline_s: 3 });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-length')).toBe(String(content.length));
  expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  // The edge reports a response once the client's kernel has acknowledged it.
  await vi.waitFor(() => expect(events.length).toBeGreaterThan(1));
  const paces = events.map(({ asked_kbps }) => asked_kbps);
  expect(paces.every((pace) => pace !== null && pace >= 1000)).toBe(true);
});

it('passes on a response that is not a part, and rejects an invalid deadline', async () => {
  expect((await pacedFetch(`${edge.url}/nothing`, { deadline_s: 3 })).status).toBe(404);
  await expect(pacedFetch(edge.url, { deadline_s: 0 })).rejects.toThrow(
    'option deadline_s is 0, expected seconds above 0',
  );
});

it('requests the entire content in time from an edge without ranges', async () => {
  const asked: (number | null)[] = [];
  const whole = new Uint8Array(1_000_000);
  const edge = await startEdge({
    handler: createHandler({
      origin: async () =>
        Promise.resolve(new Response(whole, { headers: { 'Content-Length': String(whole.length) } })),
      limits: paceLimits(),
    }),
    onResponse: ({ asked_kbps }) => asked.push(asked_kbps),
  });
  try {
    const response = await pacedFetch(`${edge.url}/`, { deadline_s: 2 });
    expect((await response.arrayBuffer()).byteLength).toBe(whole.length);
    await vi.waitFor(() => expect(asked.length).toBe(2));
    // 8 Mbit in 2 s at a goodput of 0.9 need 4444 kbit/s.
    expect(asked[1]).toBeGreaterThan(4400);
  } finally {
    await edge.close();
  }
});

/** The response of an unusual or faulty server to a requested range: status, `Content-Range`, ETag and body. */
type Odd = (
  first: number,
  last: number,
  index: number,
) => { status?: number; range?: string; tag?: string; body?: Buffer };

const LAST = content.length - 1;
const requestedRange = (first: number, last: number, total = content.length) =>
  `bytes ${first}-${last}/${total}`;

/** Downloads from such a server. Returns the requested ranges and paces, and the result. */
async function fetchFrom(odd: Odd) {
  const asked: string[] = [];
  const paces: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { range = '' } = request.headers;
    const [, first = 0, last = LAST] = /^bytes=(\d+)-(\d+)$/.exec(range)?.map(Number) ?? [];
    const to = Math.min(last, LAST);
    const given = range === '' ? { status: 200 } : odd(first, to, asked.length);
    asked.push(range);
    paces.push(/rtp%3D(\w+)/.exec(request.url ?? '')?.[1]);
    const {
      status = 206,
      range: told = requestedRange(first, to),
      tag,
      body = content.subarray(first, to + 1),
    } = given;
    response.writeHead(status, {
      ...(status === 206 && { 'Content-Range': told }),
      ...(tag !== undefined && { ETag: tag }),
    });
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const response = await pacedFetch(`http://127.0.0.1:${port}/`, { deadline_s: 3 });
    const got = await response.arrayBuffer().then(
      (buffer) => (Buffer.from(buffer).equals(content) ? 'the whole' : 'something else'),
      (error: unknown) => (error as Error).message.replace(/^\S+ /, ''),
    );
    return { asked, paces, status: response.status, got };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it('requests the entire content if a part cannot be used', async () => {
  const of = { status: 200, got: 'the whole' };
  // Without the total size, no pace can be derived from the deadline.
  const unsized = await fetchFrom((first, last) => ({ range: `bytes ${first}-${last}/*` }));
  expect(unsized).toMatchObject({ ...of, paces: [expect.stringMatching(/^\d+$/), undefined] });
  // A part other than the first.
  expect(
    await fetchFrom(() => ({ range: requestedRange(500, 999), body: content.subarray(500, 1000) })),
  ).toMatchObject(of);
  // A 416 response, because the content is empty or the server rejects ranges. The size of its body is not the
  // content's size.
  for (const body of [Buffer.alloc(0), Buffer.from('no ranges')]) {
    const refused = await fetchFrom(() => ({ status: 416, body }));
    expect(refused).toMatchObject({ ...of, paces: [expect.stringMatching(/^\d+$/), undefined] });
  }
});

it.each<[string, Odd, string]>([
  [
    'is from another place',
    (first, last) => ({ range: requestedRange(first + 10, last + 10) }),
    'status 206 instead of a part of the same content',
  ],
  [
    'has another tag',
    (_, __, index) => ({ tag: `"${index}"` }),
    'status 206 instead of a part of the same content',
  ],
  [
    'is the whole',
    () => ({ status: 200, body: content }),
    'status 200 instead of a part of the same content',
  ],
  [
    'is of something longer',
    (first, last) => ({ range: requestedRange(first, last, content.length + 1) }),
    'status 206 instead of a part of the same content',
  ],
  [
    'is short',
    (first) => ({ body: content.subarray(first, first + 1000) }),
    'the response ended after 263144 bytes',
  ],
  ['is empty', () => ({ body: Buffer.alloc(0) }), 'the response ended after 262144 bytes'],
  [
    'is longer than it says',
    (first, last) => ({ body: Buffer.alloc(last + 2 - first) }),
    'the response ended after',
  ],
])('fails if a later part %s', async (_, odd, error) => {
  const { asked, got } = await fetchFrom((first, last, index) =>
    index === 0 ? { tag: '"0"' } : odd(first, last, index),
  );
  expect(asked.length).toBeGreaterThan(1);
  expect(got).toContain(error);
});
