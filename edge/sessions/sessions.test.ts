import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getBucket } from '../../src/experiment/bucket.ts';
import { bytes, milliseconds } from '../../src/units.ts';
import { parseExperiments, type EdgeExperiments } from '../experiments.ts';
import { fuzzBeacons } from '../fuzz/beacons.ts';
import { startEdge, type Edge } from '../local/server.ts';
import { printSessions } from '../local/sessions/print-sessions.ts';
import { BeaconCounts } from '../testing/beacon-counts.ts';
import { SessionStore } from '../local/sessions/session-store.ts';
import { plainResponse } from '../origin.ts';
import { readBeacon } from './beacon.ts';
import { takeSessions } from './sessions-route.ts';
import { FIRST_BEACON } from '../testing/first-beacon.ts';

const NOON = Date.parse('2026-11-22T12:00Z');
let now = NOON;
const text = JSON.stringify({
  version: 1,
  experiments: [
    {
      name: 'pacing',
      design: 'switchback',
      from: '2026-11-22T00:00Z',
      window_s: 3600,
      washout_s: 60,
      treatment: { pacing: false },
    },
  ],
});
const list = parseExperiments(text, (line) => {
  throw new Error(line);
});
const experiments: EdgeExperiments = { list: () => list, cluster: 'link-1', now: () => milliseconds(now) };
const BEACON = {
  ...FIRST_BEACON,
  arm: 'control',
  metrics: { rebuffer_count: 0, mean_bitrate_kbps: 3200.5, mean_ssim_db: null, pacing_honored: 'unknown' },
};

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'edge-sessions-'));
  now = NOON;
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('a beacon', () => {
  const read = (fields: object) => readBeacon(JSON.stringify({ ...BEACON, ...fields }), experiments);

  it('becomes a row with the edge’s cluster, time and assignment', () => {
    const row = read({ elapsed_s: 1800 });
    expect(row).toMatchObject({
      session_id: BEACON.session_id,
      unit: 'viewer-1',
      experiment: 'pacing',
      cluster: 'link-1',
      window: 11,
      washout: false,
      started_at: '2026-11-22T11:30:00.000Z',
      told_arm: 'control',
      ...BEACON.metrics,
    });
    expect([0.05, 0.95]).toContain(row.allocation);
    expect(row.arm).toBe(getBucket('pacing', 'viewer-1') < Number(row.allocation) ? 'treatment' : 'control');
  });

  it("keeps the session's first arm in later windows", () => {
    const began = read({});
    for (const hours of [1, 2, 3, 4]) {
      now = NOON + hours * 3_600_000;
      const { arm, window, allocation, started_at } = read({ elapsed_s: hours * 3600, sequence: hours });
      expect({ arm, window, allocation, started_at }).toEqual({
        arm: began.arm,
        window: began.window,
        allocation: began.allocation,
        started_at: began.started_at,
      });
    }
  });

  it.each([
    [{ version: 2 }, 'version is 2, expected 1'],
    [{ session_id: 'short' }, "session_id is 'short', expected 16 to 64 letters, digits, - and _"],
    [{ session_id: '../../../../etc/passwd' }, 'session_id is'],
    [{ unit: '' }, "unit is '', expected 1 to 200 characters of ASCII"],
    [{ unit: 'a\nb' }, 'unit is'],
    [{ sequence: -1 }, 'sequence is -1, expected a whole number'],
    [{ sequence: 0.5 }, 'sequence is 0.5'],
    [{ sequence: 1e9 }, 'sequence is 1000000000'],
    [{ elapsed_s: -1 }, 'elapsed_s is -1, expected seconds from 0 to '],
    [{ elapsed_s: 1e9 }, 'elapsed_s is 1000000000'],
    [{ final: 1 }, 'final is 1, expected true or false'],
    [{ arm: 'both' }, "arm is 'both', expected control, treatment or null"],
    [{ metrics: [] }, 'metrics is , expected an object'],
    [{ metrics: { arm: 1 } }, "a metric is 'arm'"],
    [{ metrics: { session_id: 1 } }, "a metric is 'session_id'"],
    [{ metrics: { __proto: 1 } }, "a metric is '__proto'"],
    [{ metrics: { a: {} } }, 'metrics.a is [object Object]'],
    [{ metrics: { a: 'x'.repeat(41) } }, 'metrics.a is'],
    [{ metrics: { a: -1e16 } }, 'metrics.a is -10000000000000000, expected a number up to 1000000000000000'],
    [{ metrics: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`m${n}`, 1])) }, 'metrics is 65'],
  ])("with %j is refused with the field's name", (fields, message) =>
    expect(() => read(fields)).toThrow(message),
  );

  it.each(['', 'null', '[]', '{', '{"version":1e999}', '"x"'])('that is %j is refused', (beacon) => {
    expect(() => readBeacon(beacon, experiments)).toThrow();
  });
});

const createStore = (limit: number, problems: string[] = []) =>
  new SessionStore({
    directory,
    limit: bytes(limit),
    writer: 'w0',
    writers: 1,
    now: () => now,
    onProblem: (line) => problems.push(line),
  });
const sizeOnDisk = () =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);

describe('the store', () => {
  it('has a file for each hour, and stays within its limit', () => {
    const problems: string[] = [];
    const store = createStore(48_000, problems);
    for (let hour = 0; hour < 100; hour++) {
      now = NOON + hour * 3_600_000;
      // An hour has 48,000 / 48 = 1000 bytes, and each line has 100.
      const outcomes = Array.from({ length: 20 }, () => store.append('x'.repeat(99)));
      expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(10);
      expect(outcomes.at(-1)).toBe('full');
      expect(sizeOnDisk()).toBeLessThanOrEqual(48_000);
    }
    store.close();
    const names = readdirSync(directory).sort();
    expect(names).toHaveLength(48);
    // The latest files are kept. The last one begins 99 hours after the first.
    expect(names.at(-1)).toBe('sessions-2026-11-26T15-w0.ndjson');
    expect(problems).toHaveLength(100);
  });

  it('continues the file of its hour after a restart, and does not touch other files', () => {
    writeFileSync(join(directory, 'notes.txt'), 'mine');
    for (const line of ['{"a":1}', '{"a":2}']) {
      const store = createStore(1_000_000);
      expect(store.append(line)).toBe('stored');
      store.close();
    }
    expect(readFileSync(join(directory, 'sessions-2026-11-22T12-w0.ndjson'), 'utf8')).toBe(
      '{"a":1}\n{"a":2}\n',
    );
    expect(readFileSync(join(directory, 'notes.txt'), 'utf8')).toBe('mine');
  });

  it('begins a new line after a partial line', () => {
    const path = join(directory, 'sessions-2026-11-22T12-w0.ndjson');
    writeFileSync(path, '{"a":1}\n{"a":');
    const store = createStore(1_000_000);
    for (const line of ['{"a":3}', '{"a":4}']) expect(store.append(line)).toBe('stored');
    store.close();
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"a":\n{"a":3}\n{"a":4}\n');
  });

  it('creates its file again after somebody has removed it', () => {
    const store = createStore(1_000_000);
    expect(store.append('{"a":1}')).toBe('stored');
    const path = join(directory, 'sessions-2026-11-22T12-w0.ndjson');
    rmSync(path);
    expect(store.append('{"a":2}')).toBe('stored');
    store.close();
    expect(readFileSync(path, 'utf8')).toBe('{"a":2}\n');
  });

  it('shares the hour’s quota with another process that writes the same file', () => {
    const stores = [createStore(48_000), createStore(48_000)];
    // An hour has 48,000 / 48 = 1000 bytes, and each line has 100.
    const outcomes = Array.from({ length: 20 }, (_, turn) => stores[turn % 2]?.append('x'.repeat(99)));
    for (const store of stores) store.close();
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(10);
    expect(sizeOnDisk()).toBe(1000);
  });

  it('creates its folder again after somebody has removed it', () => {
    const problems: string[] = [];
    const store = createStore(48_000_000, problems);
    store.append('{"a":1}');
    rmSync(directory, { recursive: true });
    expect(store.append('{"a":2}')).toBe('stored');
    store.close();
    expect(problems).toEqual([]);
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it('loses no row when another process removes old files at the same time', () => {
    // A dangling link is listed but does not exist, like a file that has just been removed.
    symlinkSync(join(directory, 'gone'), join(directory, 'sessions-2026-11-20T00-w1.ndjson'));
    const problems: string[] = [];
    const store = createStore(48_000, problems);
    expect(store.append('{"a":1}')).toBe('stored');
    store.close();
    expect(problems).toEqual([]);
  });
});

describe('over the real socket', () => {
  let edge: Edge;
  let store: SessionStore;
  let counts: BeaconCounts;
  beforeEach(async () => {
    counts = new BeaconCounts();
    store = createStore(100_000_000);
    const handler = takeSessions(() => Promise.resolve(plainResponse(200, 'film')), {
      experiments,
      store: (line) => store.append(line),
      arrival: milliseconds(300),
      onBeacon: (outcome) => counts.note(outcome),
    });
    edge = await startEdge({ handler });
  });
  afterEach(async () => {
    await edge.close();
    store.close();
  });
  const send = (body: BodyInit) => fetch(`${edge.url}/.sammy/v1/sessions`, { method: 'POST', body });
  const sessions = async () => {
    const lines: string[] = [];
    await printSessions([directory], (line) => lines.push(line));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it('uses the last beacon of a session, in any order of arrival, and stores no address', async () => {
    for (const sequence of [0, 2, 1]) {
      const answer = await send(
        JSON.stringify({ ...BEACON, sequence, metrics: { played_s: sequence * 60 } }),
      );
      expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*']);
    }
    await send(JSON.stringify({ ...BEACON, session_id: 'another-session-id', metrics: { played_s: 7 } }));
    // Knowing a session's id is not enough to assign the session to another unit.
    await send(JSON.stringify({ ...BEACON, sequence: 9, unit: 'viewer-2', metrics: { played_s: 999 } }));
    expect(await sessions()).toMatchObject([
      { session_id: BEACON.session_id, unit: 'viewer-1', played_s: 120 },
      { session_id: 'another-session-id', played_s: 7 },
    ]);
    expect(counts.outcomes).toEqual({ stored: 5 });
    const stored = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
    expect(stored.join()).not.toMatch(/127\.0\.0\.1|::1/);
  });

  it('prints a session that moves to another network with its first cluster and arm', async () => {
    const row = { session_id: 'a-session-that-moves', unit: 'viewer-1' };
    const began = { ...row, sequence: 0, cluster: 'AS1', arm: 'treatment', allocation: 0.95, played_s: 1 };
    const moved = { ...row, sequence: 1, cluster: 'AS2', arm: 'control', allocation: 0.05, played_s: 60 };
    for (const each of [moved, began]) store.append(JSON.stringify(each));
    expect(await sessions()).toEqual([{ ...began, sequence: 1, played_s: 60 }]);
  });

  it('leaves other paths to the handler, and refuses other methods', async () => {
    expect(await (await fetch(`${edge.url}/1.m4s`)).text()).toBe('film\n');
    expect((await fetch(`${edge.url}/.sammy/v1/sessions`)).status).toBe(405);
  });

  it.each([
    ['too long by its Content-Length', `Content-Length: 1000000\r\n\r\n`, '', 413, 'too-long'],
    [
      'too long in chunks',
      'Transfer-Encoding: chunked\r\n\r\n',
      `1000\r\n${'a'.repeat(4096)}\r\n`.repeat(6),
      413,
      'too-long',
    ],
    ['that drips', 'Content-Length: 1000\r\n\r\n', '{', 408, 'too-late'],
    ['that is no JSON', 'Content-Length: 1\r\n\r\n', '{', 400, 'invalid'],
  ])('answers a body %s, and its connection does not wait', async (_, head, body, status, outcome) => {
    const socket = connect(edge.port, '127.0.0.1').on('error', () => undefined);
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    socket.write(`POST /.sammy/v1/sessions HTTP/1.1\r\nHost: edge\r\n${head}${body}`);
    await expect.poll(() => heard, { timeout: 10_000 }).toContain(`HTTP/1.1 ${status} `);
    if (status !== 400 && !socket.closed) await once(socket, 'close');
    socket.destroy();
    expect(await sessions()).toEqual([]);
    expect(counts.outcomes).toEqual({ [outcome]: 1 });
  });
});

it('survives hostile beacons, which reach no other session’s record and stay within the disk limit', async () => {
  const report = await fuzzBeacons({ runs: 400, seed: 1, limit: bytes(4_800_000) });
  expect(report.failures).toEqual([]);
  expect(report.stored).toBeGreaterThan(20);
  expect(report.refused).toBeGreaterThan(100);
}, 60_000);
