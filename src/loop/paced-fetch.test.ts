import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createHandler } from '../../edge/handler.ts';
import { directoryOrigin } from '../../edge/local/directory-origin.ts';
import { startEdge, type Edge, type ResponseEvent } from '../../edge/local/server.ts';
import { paceLimits } from '../../edge/policy.ts';
import { seededRandom } from '../../emulation/ground/statistics/random.ts';
import { pacedFetch, ratesOf } from './paced-fetch.ts';

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

it('is what just suffices, in parts of 20 s', () => {
  // 90 Mbit in 100 s, of which 0.9 is content: 1 Mbit/s.
  expect(ratesOf(11_250_000, 100, false)).toEqual({ pace: 1000, floor: 1000, bytes: 2_500_000 });
  expect(ratesOf(11_250_000, 100, true)).toEqual({ pace: 2000, floor: 1000, bytes: 2_500_000 });
  // After the deadline as fast as in a tenth of a second.
  expect(ratesOf(1_125_000, -5, false).pace).toBe(100_000);
});

it('brings the whole, in parts that are paced', async () => {
  const response = await pacedFetch(`${edge.url}/update.bin`, { deadline_s: 3 });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-length')).toBe(String(content.length));
  expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  // The edge reports a response once the client's kernel has acknowledged it.
  await vi.waitFor(() => expect(events.length).toBeGreaterThan(1));
  const paces = events.map(({ asked_kbps }) => asked_kbps);
  expect(paces.every((pace) => pace !== null && pace >= 1000)).toBe(true);
});

it('hands on what is no part, and refuses a deadline that is none', async () => {
  expect((await pacedFetch(`${edge.url}/nothing`, { deadline_s: 3 })).status).toBe(404);
  await expect(pacedFetch(edge.url, { deadline_s: 0 })).rejects.toThrow(
    'option deadline_s is 0, expected seconds above 0',
  );
});
