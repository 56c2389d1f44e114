import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../system/free-port.ts';
import { main } from './command.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'edge-command-'));
  writeFileSync(join(root, '1.m4s'), 'media');
  writeFileSync(join(root, '2.m4s'), new Uint8Array(2_000_000));
});
afterAll(() => rmSync(root, { recursive: true }));

describe('npm run edge refuses in one line', () => {
  it.each([
    ['no origin', ['--port', '0'], /^--origin is missing; give a directory or an http\(s\) URL$/],
    ['no port', ['--origin', '.'], /^--port is missing; give a number from 0 to 65535$/],
    ['a port that is none', ['--origin', '.', '--port', '65536'], /^--port is '65536'; expected/],
    [
      'a directory that is not there',
      ['--origin', '/no/such', '--port', '0'],
      /^the origin '\/no\/such' does not exist/,
    ],
    [
      'an origin that does not answer',
      ['--origin', 'http://127.0.0.1:2', '--port', '0'],
      /^the origin .* cannot be reached: .*; check the URL/,
    ],
    [
      'a floor that is no number',
      ['--origin', '.', '--port', '0', '--floor-kbps', 'x'],
      /^--floor-kbps is 'x'; expected a number of kbit\/s above 0$/,
    ],
    [
      'an empty ceiling',
      ['--origin', '.', '--port', '0', '--ceiling-kbps', ''],
      /^--ceiling-kbps is ''; expected/,
    ],
    [
      'a floor above the ceiling',
      ['--origin', '.', '--port', '0', '--floor-kbps', '2', '--ceiling-kbps', '1'],
      /^--floor-kbps is 2; expected at most --ceiling-kbps, which is 1$/,
    ],
    [
      'an allowed origin with a path',
      ['--origin', '.', '--port', '0', '--allow-origin', 'https://cdn.example/x'],
      /^allowed origin 'https:\/\/cdn.example\/x' is not usable/,
    ],
    ...['*', 'null', 'https://*.example', 'page.example', 'https://page.example/watch', ''].map(
      (page): [string, string[], RegExp] => [
        `the page '${page}' for credentials`,
        ['--origin', '.', '--port', '0', '--credentials-origin', page],
        new RegExp(
          `^--credentials-origin is '${page.replaceAll('*', '\\*')}'; expected the origin of a page, exactly http\\(s\\)://HOST\\[:PORT\\]$`,
        ),
      ],
    ),
    [
      'an unknown congestion control',
      ['--origin', '.', '--port', '0', '--congestion-control', 'warp'],
      /^congestion control 'warp' (is not in this kernel; choose|can be chosen on Linux only)/,
    ],
    [
      'a certificate without its key',
      ['--origin', '.', '--port', '0', '--tls-cert', 'cert.pem'],
      /^--tls-cert is given without --tls-key; TLS needs both$/,
    ],
    [
      'a key that is not there',
      ['--origin', '.', '--port', '0', '--tls-cert', 'package.json', '--tls-key', '/no/such'],
      /^--tls-key '\/no\/such' cannot be read: ENOENT/,
    ],
    [
      'a certificate that is none',
      ['--origin', '.', '--port', '0', '--tls-cert', 'package.json', '--tls-key', 'package.json'],
      /^the TLS certificate and key are not usable: /,
    ],
    [
      'a limit that lets nobody in',
      ['--origin', '.', '--port', '0', '--max-connections', '0'],
      /^--max-connections is '0'; expected a whole number of connections from 1$/,
    ],
    [
      'a limit that is no number',
      ['--origin', '.', '--port', '0', '--max-connections-per-address', 'many'],
      /^--max-connections-per-address is 'many'; expected/,
    ],
    [
      'a patience that is no time',
      ['--origin', '.', '--port', '0', '--drain-s', 'soon'],
      /^--drain-s is 'soon'; expected seconds from 0 to 3600$/,
    ],
    [
      'an operator port that is none',
      ['--origin', '.', '--port', '0', '--operator-port', 'x'],
      /^--operator-port is 'x'; expected a number from 0 to 65535$/,
    ],
    [
      'an empty address, with which Node would listen on all',
      ['--origin', '.', '--port', '0', '--host', ''],
      /^--host is ''; expected an address or a host name$/,
    ],
    [
      'an empty address of the operator port',
      ['--origin', '.', '--port', '0', '--operator-port', '0', '--operator-host', ''],
      /^--operator-host is ''; expected an address or a host name$/,
    ],
    [
      'a cluster that is no name',
      ['--origin', '.', '--port', '0', '--cluster', 'a b'],
      /^--cluster is 'a b'; expected 1 to 64 letters/,
    ],
    [
      'clusters by autonomous system without a table of these',
      ['--origin', '.', '--port', '0', '--cluster', 'FRA-AS{asn}'],
      /^--cluster is 'FRA-AS\{asn\}' without --as-table, the table/,
    ],
    [
      'a table of autonomous systems that no cluster asks for',
      ['--origin', '.', '--port', '0', '--as-table', 'package.json'],
      /^--as-table has no effect, because --cluster 'default' does not contain \{asn\}$/,
    ],
    [
      'a table of autonomous systems that is none',
      ['--origin', '.', '--port', '0', '--cluster', 'AS{asn}', '--as-table', 'package.json'],
      /^--as-table 'package.json', line 1: '\{'; expected a prefix and the number/,
    ],
    [
      'a limit of sessions that is none',
      ['--origin', '.', '--port', '0', '--sessions-mb', '1'],
      /^--sessions-mb is '1'; expected whole megabytes from 10$/,
    ],
    ['sessions of no directory', ['sessions'], /^expected one argument, the directory of --sessions$/],
    [
      'sessions of a directory that is not there',
      ['sessions', '/no/such'],
      /^the sessions in '\/no\/such' cannot be read: ENOENT/,
    ],
    ['no worker', ['--origin', '.', '--port', '0', '--workers', '0'], /^--workers is '0'; expected a number/],
    [
      'fewer connections than workers',
      ['--origin', '.', '--port', '0', '--workers', '4', '--max-connections-per-address', '3'],
      /^--max-connections-per-address is '3'; expected at least one connection for each of 4 workers$/,
    ],
    [
      'a switch that is none',
      ['--origin', '.', '--port', '0', '--pacing', 'no'],
      /^--pacing is 'no'; expected on or off$/,
    ],
    [
      'a configuration that is not there',
      ['--origin', '.', '--port', '0', '--config', '/no/such'],
      /^--config '\/no\/such' cannot be read: ENOENT/,
    ],
    ['an unknown option', ['--orign', '.'], /^unknown option '--orign' \(Did you mean --origin\?\)/],
  ])('%s', async (_, args, message) => {
    await expect(main(args)).rejects.toThrow(message);
  });

  it('a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(main(['--origin', root, '--port', String(port)])).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use`,
    );
    taken.close();
  });
});

/** Starts the command in its own process, and collects the output. */
function run(...args: string[]) {
  const file = JSON.stringify(join(import.meta.dirname, 'command.ts'));
  const code = `(await import(${file})).main(${JSON.stringify(['--origin', root, '--port', '0', ...args])})`;
  const edge = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code]);
  let log = '';
  edge.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  edge.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const said = async (pattern: RegExp) => {
    while (!pattern.test(log)) await once(edge.stdout, 'data');
    return pattern.exec(log)?.[1] ?? '';
  };
  return { edge, said, log: () => log };
}

it.skipIf(process.platform === 'win32')(
  'ends at a second SIGTERM, and reports open responses although more signals arrive',
  async () => {
    const { edge, said, log } = run('--drain-s', '3600');
    const url = await said(/^serving .* at (\S+)\n/m);
    const slow = get(`${url}/2.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D100`).on('error', () => undefined);
    const [response] = (await once(slow, 'response')) as [IncomingMessage];
    response.resume().on('error', () => undefined);
    const ended = once(edge, 'close');
    while (edge.exitCode === null && edge.signalCode === null) {
      edge.kill('SIGTERM');
      await sleep(5);
    }
    await ended;
    expect(log()).toMatch(/\n1 responses, \d\.\d MB, 1 incomplete; requested 1\n$/);
  },
  30_000,
);

// A program such as head closes the pipe after it has read enough lines.
it.skipIf(process.platform === 'win32').each(['text', 'json'])(
  'keeps running when the reader of its %s log ends',
  async (format) => {
    const { edge, said } = run('--log-format', format);
    const url = await said(/serving .* at (http:[^\s"]+)/);
    edge.stdout.destroy();
    edge.stderr.destroy();
    for (let count = 0; count < 20; count++) {
      expect(await (await fetch(`${url}/1.m4s`)).text()).toBe('media');
      await sleep(5);
    }
    const ended = once(edge, 'exit');
    edge.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
  30_000,
);

// Each write to /dev/full fails as on a full disk.
it.skipIf(process.platform !== 'linux').each(['text', 'json'])(
  'serves and ends at SIGTERM while the disk of its %s log is full',
  async (format) => {
    const port = await freePort();
    const full = openSync('/dev/full', 'w');
    const file = JSON.stringify(join(import.meta.dirname, 'command.ts'));
    const args = JSON.stringify(['--origin', root, '--port', String(port), '--log-format', format]);
    const edge = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', `(await import(${file})).main(${args})`],
      { stdio: ['ignore', full, full] },
    );
    closeSync(full);
    const body = () => fetch(`http://127.0.0.1:${port}/1.m4s`).then((response) => response.text());
    await expect.poll(() => body().catch(() => ''), { timeout: 20_000 }).toBe('media');
    const ended = once(edge, 'exit');
    edge.kill('SIGTERM');
    const result = await Promise.race([ended, sleep(10_000, 'still running')]);
    edge.kill('SIGKILL');
    expect(result).toEqual([0, null]);
  },
  40_000,
);

it.skipIf(process.platform === 'win32')(
  'logs each response, serves health and metrics, and ends at SIGTERM with its counters',
  async () => {
    const { edge, said, log } = run('--operator-port', '0');
    const url = await said(/^serving .* at (\S+)\n/m);
    expect(await (await fetch(`${url}/1.m4s?CMCD=rtp%3D0`)).text()).toBe('media');
    await said(/^\/1\.m4s 200 rtp=- pace=- refused:not-positive 0\.0 kB \d+ ms\n/m);
    const operator = await said(/^\/healthz and \/metrics at (\S+)\n/m);
    expect((await fetch(`${operator}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${operator}/metrics`)).text()).toContain(
      'dashjs_sammy_edge_responses_total{status="200",reason="refused:not-positive"} 1\n',
    );
    expect((await fetch(`${operator}/1.m4s`)).status).toBe(404);
    edge.kill('SIGTERM');
    const [status] = (await once(edge, 'close')) as [number];
    expect(status).toBe(0);
    expect(log()).toMatch(/\n1 responses, 0\.0 MB, 0 incomplete; refused:not-positive 1\n$/);
  },
);
