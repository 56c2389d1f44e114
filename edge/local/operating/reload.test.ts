import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseReceipt } from '../../../src/wire/receipt.ts';
import { ENDING_SIGNALS } from '../../../system/ending-signals.ts';
import type { Log } from '../logging/log.ts';
import { selfSigned } from '../self-signed.ts';
import { operate } from './operate.ts';
import { serve } from './serve.ts';
import type { Service } from './service.ts';
import { readSettings } from './settings.ts';

let folder: string;
let config: string;
let args: string[];
let service: Service;
let listenersBefore: NodeJS.SignalsListener[][];
let operating: Promise<void> | undefined;
const said: string[] = [];
const say = (line: string) => void said.push(line);
const log: Log = {
  level: 'info',
  response: () => undefined,
  info: say,
  warn: say,
  error: say,
  unwritten: { limited: 0, dropped: 0 },
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edge-reload-'));
  config = join(folder, 'edge.json');
  args = ['--origin', folder, '--port', '0', '--config', config, '--drain-s', '30'];
  writeFileSync(join(folder, '1.m4s'), new Uint8Array(400_000));
  writeFileSync(join(folder, '2.m4s'), 'media');
  said.length = 0;
  listenersBefore = ENDING_SIGNALS.map((signal) => process.listeners(signal));
});
afterEach(async () => {
  process.emit('SIGINT', 'SIGINT');
  await operating;
  // An edge keeps its listeners until its process ends.
  for (const [index, signal] of ENDING_SIGNALS.entries()) {
    for (const listener of process.listeners(signal))
      if (!listenersBefore[index]?.includes(listener)) process.off(signal, listener);
  }
  rmSync(folder, { recursive: true });
});

async function start(options: object, isInTerminal = false): Promise<void> {
  writeFileSync(config, JSON.stringify(options));
  const settings = await readSettings(args);
  service = await serve(settings, null, log);
  operating = operate(service, { settings, log, reread: () => readSettings(args), isInTerminal });
}

async function reload(options: object | string): Promise<string> {
  writeFileSync(config, typeof options === 'string' ? options : JSON.stringify(options));
  const before = said.length;
  process.emit('SIGHUP', 'SIGHUP');
  await vi.waitUntil(() => said.length > before, { timeout: 10_000 });
  return said.slice(before).join('\n');
}

const receipt = async () => {
  const answer = await fetch(`${service.url}/1.m4s?CMCD=rtp%3D9000`);
  await answer.arrayBuffer();
  return parseReceipt((name) => answer.headers.get(name));
};

it('switches pacing off and on, and changes limits, without interrupting a response', async () => {
  await start({ 'ceiling-kbps': 2000 });
  const [slow] = (await once(get(`${service.url}/1.m4s?CMCD=rtp%3D9000`), 'response')) as [IncomingMessage];
  let received = 0;
  slow.on('data', (chunk: Buffer) => (received += chunk.length));
  const ended = once(slow, 'end');
  expect(await reload({ pacing: 'off' })).toBe(
    'the settings were reloaded: pacing off, ceiling-kbps not set',
  );
  expect(await receipt()).toMatchObject({ pace_kbps: null, reason: 'switched-off' });
  expect(await reload({ 'floor-kbps': 50_000 })).toBe(
    'the settings were reloaded: pacing on, floor-kbps 50000',
  );
  expect(await reload({ 'floor-kbps': 50_000 })).toBe('the settings were reloaded; no option changed');
  expect(await receipt()).toMatchObject({ pace_kbps: 50_000, reason: 'floor' });
  await ended;
  expect(received).toBe(400_000);
});

it.each([
  ['{', /^the settings were not reloaded: --config '.*' cannot be read: /],
  [[1], /^the settings were not reloaded: --config '.*' has no options/],
  [{ pacing: 'of' }, /^the settings were not reloaded: --pacing is 'of'; expected on or off$/],
  [
    { pacng: 'off' },
    /^the settings were not reloaded: --config '.*': unknown option '--pacng' \(Did you mean --pacing\?\)/,
  ],
  [{ pacing: true }, /^the settings were not reloaded: --config '.*' has pacing true; expected text/],
  [{ holdout: '60%' }, /^the settings were not reloaded: --holdout is '60%'; expected a share/],
  [
    { 'ceiling-kbps': 2000, workers: 2, 'sessions-mb': 20 },
    /^changes of these options need a restart: workers, sessions-mb\nthe settings were reloaded; no option changed$/,
  ],
])('keeps its settings at %j, and reports why', async (options, line) => {
  await start({ 'ceiling-kbps': 2000 });
  expect(await reload(options)).toMatch(line);
  expect(await receipt()).toMatchObject({ pace_kbps: 2000, reason: 'ceiling' });
});

it('prefers the command line to the file', async () => {
  args.push('--floor-kbps', '30000');
  await start({ 'floor-kbps': 20_000 });
  expect(await receipt()).toMatchObject({ pace_kbps: 30_000, reason: 'floor' });
});

it('uses a renewed certificate for new connections, keeps open connections, and rejects a mismatched key', async () => {
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const write = (certificate: { cert: string; key: string }) => {
    writeFileSync(files.cert, certificate.cert);
    writeFileSync(files.key, certificate.key);
  };
  const [first, second] = [await selfSigned(), await selfSigned()];
  write(first);
  args.push('--tls-cert', files.cert, '--tls-key', files.key);
  await start({});
  const port = Number(new URL(service.url).port);
  const fingerprint = async () => {
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const before = await fingerprint();
  const asked = secureRequest(`${service.url}/1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D2000`, {
    rejectUnauthorized: false,
  }).end();
  const [slow] = (await once(asked, 'response')) as [IncomingMessage];
  let received = 0;
  slow.on('data', (chunk: Buffer) => (received += chunk.length));
  const ended = once(slow, 'end');
  write({ cert: first.cert, key: second.key });
  expect(await reload({})).toMatch(/^the settings were not reloaded: the TLS certificate and key are not/);
  expect(await fingerprint()).toBe(before);
  write(second);
  expect(await reload({})).toBe('the settings were reloaded; no option changed');
  expect(await fingerprint()).not.toBe(before);
  await ended;
  expect(received).toBe(400_000);
});

it('ends when its terminal is closed, despite several SIGHUP signals, and lets responses in flight complete', async () => {
  await start({}, true);
  const slow = await fetch(`${service.url}/1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D2000`);
  for (const signal of ['SIGHUP', 'SIGHUP', 'SIGTERM'] as const) process.emit(signal, signal);
  expect((await slow.arrayBuffer()).byteLength).toBe(400_000);
  await operating;
  expect(said.at(-1)).toBe('1 responses, 0.4 MB, 0 incomplete; requested 1');
});

it('holds out a share of the sessions, and reports this to players', async () => {
  await start({ holdout: '50%' });
  const reasons = new Map<string | undefined, number>();
  for (let session = 0; session < 60; session++) {
    const cmcd = encodeURIComponent(`rtp=90000,sid="viewer-${session}"`);
    const answer = await fetch(`${service.url}/2.m4s?CMCD=${cmcd}`);
    await answer.arrayBuffer();
    const { reason } = parseReceipt((name) => answer.headers.get(name));
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const told = answer.headers.get('Server-Timing') ?? '';
    expect(told).toContain(
      `experiment;desc="holdout ${reason === 'experiment' ? 'control' : 'treatment'} 0.5`,
    );
  }
  // The number of heads of 60 fair coins is outside 12 to 48 with a probability of 0.76e-6.
  expect(reasons.get('experiment')).toBeGreaterThan(11);
  expect(reasons.get('requested')).toBeGreaterThan(11);
  expect(await receipt()).toMatchObject({ reason: 'requested' });
});
