import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bytes, milliseconds } from '../../src/units.ts';
import { BeaconCounts } from '../testing/beacon-counts.ts';
import { selfSigned } from '../local/self-signed.ts';
import { startEdge, type Edge, type EdgeOptions } from '../local/server.ts';
import { printSessions } from '../local/sessions/print-sessions.ts';
import { SessionStore } from '../local/sessions/session-store.ts';
import { plainResponse } from '../origin.ts';
import { takeSessions } from './sessions-route.ts';
import { FIRST_BEACON } from '../testing/first-beacon.ts';

const BEACON = { ...FIRST_BEACON, metrics: { played_s: 1 } };
const TEXT = JSON.stringify(BEACON);
const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-11-22T12:00Z');

let directory: string;
let now: number;
let counts: BeaconCounts;
let warnings: string[];
let problems: string[];
let running: { edge: Edge; store: SessionStore }[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'edge-hostile-beacons-'));
  now = NOON;
  counts = new BeaconCounts();
  [warnings, problems, running] = [[], [], []];
});
afterEach(async () => {
  for (const { edge, store } of running) {
    await edge.close();
    store.close();
  }
  rmSync(directory, { recursive: true });
});

/** Starts an edge that is one of two processes that write into the folder. */
async function start(writer = 'w1', options: Partial<EdgeOptions> = {}): Promise<Edge> {
  const store = new SessionStore({
    directory,
    limit: bytes(100_000_000),
    writer,
    writers: 2,
    now: () => now,
    onProblem: (line) => problems.push(line),
  });
  const handler = takeSessions(() => Promise.resolve(plainResponse(200, 'film')), {
    experiments: { list: () => [], cluster: 'link', now: () => milliseconds(now) },
    store: (line) => store.append(line),
    onBeacon: (outcome) => counts.note(outcome),
  });
  const edge = await startEdge({ handler, onWarning: (line) => warnings.push(line), ...options });
  running.push({ edge, store });
  return edge;
}

const send = ({ url }: Edge, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(`${url}/.sammy/v1/sessions`, { method: 'POST', body, headers });

async function sessions(): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  await printSessions([directory], (line) => lines.push(line));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Sends bytes in pieces, each in its own packet. Returns the headers of the response. */
async function sendInPieces({ port }: Edge, pieces: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
    .setNoDelay()
    .on('error', () => undefined);
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
  await expect.poll(() => heard, { timeout: 10_000 }).toContain('\r\n\r\n');
  socket.destroy();
  return heard;
}

/** Splits a text of ASCII characters. */
const splitBytes = (text: string) => Array.from(text, (character) => character);

const HEAD = 'POST /.sammy/v1/sessions HTTP/1.1\r\nHost: edge\r\n';

it.each([
  ['byte by byte', splitBytes(`${HEAD}Content-Length: ${TEXT.length}\r\n\r\n${TEXT}`)],
  [
    'in chunks of a byte',
    [
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
      ...splitBytes(TEXT).flatMap((byte) => ['1\r\n', byte, '\r\n']),
      '0\r\n\r\n',
    ],
  ],
])('a beacon that arrives %s is complete', async (_, pieces) => {
  const edge = await start();
  expect(await sendInPieces(edge, pieces)).toMatch(/^HTTP\/1\.1 204 /);
  expect(await sessions()).toMatchObject([{ session_id: BEACON.session_id, played_s: 1 }]);
});

it.each([
  ['gzip', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  // A decompression bomb: a megabyte of spaces in a kilobyte.
  ['gzip', gzipSync(TEXT.padEnd(1_000_000))],
  ['br', Buffer.from(TEXT)],
])('a compressed beacon (%s) is refused with the reason', async (coding, body) => {
  const answer = await send(await start(), new Uint8Array(body), { 'Content-Encoding': coding });
  expect([answer.status, await answer.text()]).toEqual([415, 'send the beacon without Content-Encoding\n']);
  expect(counts.outcomes).toEqual({ compressed: 1 });
  expect(await sessions()).toEqual([]);
});

it('the content type of a beacon does not matter, except for a form', async () => {
  const edge = await start();
  const types = [
    'text/plain',
    'application/json',
    'multipart/form-data',
    'text/html',
    'x',
    'image/png; charset=utf-16',
  ];
  for (const type of types) expect((await send(edge, TEXT, { 'Content-Type': type })).status).toBe(204);
  const form = new FormData();
  form.set('beacon', TEXT);
  expect((await send(edge, form)).status).toBe(400);
  expect((await send(edge, new URLSearchParams({ beacon: TEXT }))).status).toBe(400);
  const wide = new Uint8Array(Buffer.from(TEXT, 'utf16le'));
  expect((await send(edge, wide, { 'Content-Type': 'application/json; charset=utf-16' })).status).toBe(400);
  expect(await sessions()).toHaveLength(1);
});

it('truncated beacons are counted, and fill no log', async () => {
  const edge = await start();
  const sockets = Array.from({ length: 40 }, () =>
    connect(edge.port, '127.0.0.1').on('error', () => undefined),
  );
  // Wait, because a connection that is reset before the edge accepts it has no request.
  await expect.poll(() => edge.stats.connections).toBe(sockets.length);
  for (const [number, socket] of sockets.entries()) {
    socket.write(`${HEAD}Content-Length: ${TEXT.length}\r\n\r\n{"ver`);
    if (number % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
  }
  // An invalid chunk ends the body and the connection.
  await sendInPieces(edge, [`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n{\r\n', 'x\r\n']);
  await expect.poll(() => counts.outcomes, { timeout: 20_000 }).toEqual({ 'broken-off': sockets.length + 1 });
  expect((await send(edge, TEXT)).status).toBe(204);
  expect(warnings).toEqual([]);
});

it('many simultaneous beacons with one id at two processes leave one session and no broken row', async () => {
  const [one, other] = [await start('w1'), await start('w2')];
  const sent = Array.from({ length: 200 }, (_, number) => ({
    ...BEACON,
    unit: `viewer-${number % 5}`,
    sequence: number % 7,
    metrics: { played_s: number % 7, of_unit: number % 5 },
  }));
  const answers = await Promise.all(
    sent.map((beacon, number) => send(number % 2 === 0 ? one : other, JSON.stringify(beacon))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  const [row, ...others] = await sessions();
  expect(others).toEqual([]);
  expect(row).toMatchObject({ session_id: BEACON.session_id, sequence: 6, played_s: 6 });
  expect(row?.unit).toBe(`viewer-${String(row?.of_unit)}`);
});

it('a session whose beacons arrive while the clock moves back and forth over the hour is stored once', async () => {
  const edge = await start();
  for (const [sequence, at] of [NOON - 1, NOON + 1, NOON - 5000, NOON - HOUR_MS, NOON + 2].entries()) {
    now = at;
    const beacon = { ...BEACON, sequence, metrics: { played_s: sequence } };
    expect((await send(edge, JSON.stringify(beacon))).status).toBe(204);
  }
  expect(readdirSync(directory).sort()).toEqual([
    'sessions-2026-11-22T11-w1.ndjson',
    'sessions-2026-11-22T12-w1.ndjson',
  ]);
  expect(await sessions()).toMatchObject([
    { sequence: 4, played_s: 4, started_at: '2026-11-22T11:59:59.999Z' },
  ]);
  expect(problems).toEqual([]);
});

it.skipIf(!existsSync('/dev/full'))(
  'a full disk is told once an hour, and beacons are stored again after it',
  async () => {
    symlinkSync('/dev/full', join(directory, 'sessions-2026-11-22T12-w1.ndjson'));
    const edge = await start();
    for (let turn = 0; turn < 20; turn++) expect((await send(edge, TEXT)).status).toBe(503);
    expect(problems).toEqual([expect.stringMatching(/^a session cannot be stored: ENOSPC/)]);
    expect(counts.outcomes).toEqual({ 'store-failed': 20 });
    now += HOUR_MS;
    expect((await send(edge, TEXT)).status).toBe(204);
    expect(problems).toHaveLength(1);
  },
);

it('an HTTP/2 client that does not end its beacons can still send requests', async () => {
  const edge = await start('w1', { tls: await selfSigned() });
  const client = connectHttp2(edge.url, { rejectUnauthorized: false });
  try {
    await once(client, 'remoteSettings');
    // More streams than a connection may have.
    for (let number = 0; number < 40; number++) {
      const stream = client.request({
        ':method': 'POST',
        ':path': '/.sammy/v1/sessions',
        'content-length': 1_000_000,
      });
      stream.on('error', () => undefined).write('{');
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      expect(headers[':status']).toBe(413);
    }
    const film = client.request({ ':path': '/1.m4s' });
    const [headers] = (await once(film, 'response')) as [Record<string, unknown>];
    expect(headers[':status']).toBe(200);
    expect(counts.outcomes).toEqual({ 'too-long': 40 });
  } finally {
    client.destroy();
  }
}, 30_000);
