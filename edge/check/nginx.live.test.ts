import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe as group, expect, it } from 'vitest';
import { freePort } from '../../system/free-port.ts';
import { kbps, seconds } from '../../src/units.ts';
import { selfSigned } from '../local/self-signed.ts';
import { ensureModule, missingNginxReason } from '../nginx/module.ts';
import { startNginx, type Nginx } from '../nginx/server.ts';
import { describe } from './describe.ts';
import { examine } from './examine.ts';

/* nginx configurations that do not pace the player or do not report the pace, and two that do both. */

const missing = await missingNginxReason();
const started: Nginx[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-nginx-'));
  await writeFile(join(folder, '1.m4s'), new Uint8Array(2_000_000));
  const { cert, key } = await selfSigned();
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
});
afterEach(async () => {
  for (const nginx of started.splice(0)) await nginx.close();
});
afterAll(() => rm(folder, { recursive: true }));

type Ports = readonly [first: number, second: number];
const TLS = () => `ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;`;
const edge = (port: number, more = '') =>
  `server { listen 127.0.0.1:${port}; root ${folder}; cmcd_pace on; ${more} }`;
/** A server without the module's directives in front of an edge. */
const front = (listen: string, port: number, more = '') =>
  `server { ${listen} location / { proxy_pass http://127.0.0.1:${port}; ${more} } }`;

group.skipIf(missing !== null)(`edge check of nginx${missing === null ? '' : `: ${missing}`}`, () => {
  const CASES: [name: string, http: (ports: Ports) => string, ok: boolean, first: RegExp, second?: RegExp][] =
    [
      ['the module', ([port]) => edge(port), true, /^PACED over HTTP\/1\.1/],
      [
        'TLS and HTTP/2',
        ([port]) => edge(port).replace(`:${port};`, `:${port} ssl http2; ${TLS()}`),
        true,
        /^PACED over HTTP\/2/,
      ],
      [
        'headers that no page can read',
        ([port]) => edge(port, 'cmcd_pace_cors off; add_header Access-Control-Allow-Origin *;'),
        false,
        /^PACED, NOT TOLD .* cannot read the receipt$/,
        /^Access-Control-Expose-Headers lacks CMSD-Dynamic and Server-Timing/,
      ],
      [
        'another nginx before it',
        ([port, second]) => front(`listen 127.0.0.1:${port};`, second) + edge(second),
        false,
        /^NOT PACED over HTTP\/1\.1: another program ends your connection/,
      ],
      [
        'another nginx before it, over HTTP/2',
        ([port, second]) => front(`listen 127.0.0.1:${port} ssl http2; ${TLS()}`, second) + edge(second),
        false,
        /^NOT PACED over HTTP\/2: another program ends your connection/,
      ],
      [
        'a proxy that removes the receipt',
        ([port, second]) =>
          front(
            `listen 127.0.0.1:${port};`,
            second,
            'proxy_hide_header CMSD-Dynamic; proxy_hide_header Server-Timing; proxy_buffering off;',
          ) + edge(second),
        false,
        /^PACED, NOT TOLD .* has no receipt$/,
      ],
      [
        'a limit of its own',
        ([port]) => edge(port, 'limit_rate 1m;'),
        true,
        /^PACED .*, the ceiling, where 12\.0 Mbit\/s was asked for/,
      ],
      [
        'no module',
        ([port]) => `server { listen 127.0.0.1:${port}; root ${folder}; }`,
        false,
        /^NOT PACED .* no receipt$/,
      ],
    ];
  it.each(CASES)('%s', async (name, http, ok, first, second = /^/) => {
    const ports: Ports = [await freePort(), await freePort()];
    started.push(
      await startNginx({ module: await ensureModule(() => undefined), port: ports[0], http: http(ports) }),
    );
    const url = new URL(`${name.includes('HTTP/2') ? 'https' : 'http'}://127.0.0.1:${ports[0]}/1.m4s`);
    const found = await examine(url, { rtp: kbps(12_000), by: 'query', insecure: true, time: seconds(2) });
    const { ok: told, lines } = describe(found);
    expect([told, lines[0], lines[1]], lines.join('\n')).toEqual([
      ok,
      expect.stringMatching(first),
      expect.stringMatching(second),
    ]);
  });
});
