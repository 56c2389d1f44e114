import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytes, milliseconds } from '../../../src/units.ts';
import { plainResponse } from '../../origin.ts';
import { takeSessions } from '../../sessions/sessions-route.ts';
import { getAddress } from '../client-address.ts';
import { startEdge, type Edge } from '../server.ts';
import { SessionStore } from './session-store.ts';

const NOON = Date.parse('2026-11-22T12:00Z');
/** Room for a hundred rows of a hundred bytes in each of 48 hours. */
const LIMIT = bytes(48 * 10_000);
const ROW = 'x'.repeat(99);

let directory: string;
let now = NOON;
let problems: string[];
let store: SessionStore;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'edge-share-'));
  now = NOON;
  problems = [];
  store = new SessionStore({
    directory,
    limit: LIMIT,
    writer: 'w0',
    writers: 1,
    now: () => now,
    onProblem: (line) => problems.push(line),
  });
});
afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true });
});

/** Returns the number of an address's rows that are stored. */
const countStored = (address: string | undefined, rows: number) =>
  Array.from({ length: rows }, () => store.append(ROW, address)).filter((each) => each === 'stored').length;

describe("an hour's storage", () => {
  it('one address gets at most a fifth, and others get the rest', () => {
    // 20 rows are a quarter of the remaining 80.
    expect(countStored('192.0.2.1', 1000)).toBe(20);
    expect(store.append(ROW, '192.0.2.1')).toBe('over-share');
    expect(problems).toEqual([
      'an address has used its share of the sessions of 2026-11-22T12; its further sessions are not stored (behind a proxy, raise --max-connections-per-address to --max-connections)',
    ]);
    // The other addresses store 80 more rows, until the hour is full.
    let others = 0;
    for (let other = 1; other <= 200; other++) others += countStored(`198.51.100.${other}`, 1);
    expect(others).toBe(80);
    expect(store.append(ROW, '203.0.113.1')).toBe('full');
    expect(problems[1]).toMatch(/have reached 10000 bytes; no more are stored$/);
  });

  it('four greedy addresses leave half of it to others', () => {
    const taken = [1, 2, 3, 4].map(() => 0);
    for (let turn = 0; turn < 100; turn++)
      for (const address of taken.keys())
        taken[address] = (taken[address] ?? 0) + countStored(`192.0.2.${address}`, 1);
    // With 12 rows each, 52 of 100 rows are free. A quarter is 13, so one address stores another row; then it is less.
    expect(taken).toEqual([13, 12, 12, 12]);
  });

  it('addresses of a /64 prefix count as one, as do both forms of an IPv4 address', () => {
    expect(countStored('2001:db8::1', 10) + countStored('2001:db8::2:ffff', 1000)).toBe(20);
    expect(countStored('2001:db8:0:1::1', 1)).toBe(1);
    expect(countStored('::ffff:192.0.2.9', 1000)).toBeGreaterThan(5);
    expect(store.append(ROW, '192.0.2.9')).toBe('over-share');
  });

  it('nothing carries over into the next hour', () => {
    expect(countStored('192.0.2.1', 1000)).toBe(20);
    now += 3_600_000;
    expect(countStored('192.0.2.1', 1000)).toBe(20);
    expect(problems).toHaveLength(2);
  });

  it('a clock that moves back and forth over its end gives no address a new share', () => {
    const [before, after] = [NOON - 1, NOON];
    let stored = { before: 0, after: 0 };
    for (let turn = 0; turn < 20; turn++) {
      now = before;
      const ofOld = countStored('192.0.2.1', 100);
      now = after;
      stored = { before: stored.before + ofOld, after: stored.after + countStored('192.0.2.1', 100) };
    }
    expect(stored).toEqual({ before: 20, after: 20 });
    // One report per hour, however often the clock crosses it.
    expect(problems).toHaveLength(2);
  });

  it('a clock that was far ahead leaves no shares used', () => {
    now = NOON + 1000 * 3_600_000;
    expect(countStored('192.0.2.1', 100)).toBe(20);
    now = NOON;
    expect(countStored('192.0.2.1', 100)).toBe(20);
  });

  it('rows without an address, as behind a proxy, may fill the hour', () => {
    expect(countStored(undefined, 1000)).toBe(100);
  });
});

describe('over the real socket', () => {
  let edge: Edge;
  beforeEach(async () => {
    const experiments = { list: () => [], cluster: 'link', now: () => milliseconds(now) };
    const handler = takeSessions(() => Promise.resolve(plainResponse(404, 'no film')), {
      experiments,
      store: (line, request) => store.append(line, getAddress(request)),
    });
    edge = await startEdge({ handler });
  });
  afterEach(() => edge.close());

  async function send(number: number, localAddress: string, headers = {}): Promise<number | undefined> {
    const beacon = {
      version: 1,
      session_id: `session-of-flood-${number}`,
      unit: 'viewer',
      sequence: 0,
      elapsed_s: 0,
      final: false,
      arm: null,
      metrics: {},
    };
    const options = { method: 'POST', port: edge.port, host: '127.0.0.1', localAddress, headers };
    const message = request({ ...options, path: '/.sammy/v1/sessions' });
    message.end(JSON.stringify(beacon));
    const [response] = (await once(message, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  }

  it.skipIf(process.platform !== 'linux')(
    'a flood from one address leaves room for others, whatever it claims, and no address is stored',
    async () => {
      const statuses = [];
      for (let number = 0; number < 60; number++) {
        const headers = { 'X-Forwarded-For': `198.51.100.${number}`, Forwarded: `for=198.51.100.${number}` };
        statuses.push(await send(number, '127.0.0.1', headers));
      }
      const stored = statuses.filter((status) => status === 204).length;
      expect(stored).toBeGreaterThan(3);
      expect(statuses.slice(stored)).toEqual(Array.from({ length: 60 - stored }, () => 429));
      expect(await send(100, '127.0.0.2')).toBe(204);
      const text = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
      expect(text.join()).not.toMatch(/127\.0\.0|198\.51/);
    },
  );
});
