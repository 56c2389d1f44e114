import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type RequestOptions,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { INTERNAL_HEADERS } from '../internal-headers.ts';
import { snippet } from '../testing/snippet-services.ts';
import { socketPaces } from '../testing/socket-paces.ts';
import { startVarnish, missingVarnishReason, VARNISH_VCL, type Varnish } from './varnish.ts';

/**
 * Tests further features of Varnish: ESI, a Unix socket, pipes, synthetic responses. A receipt must not contain a pace
 * that is not applied, and a pace must end with its response.
 */
const missing = missingVarnishReason();
const skipped = missing === null ? '' : ` (skipped: ${missing})`;
const OWN = `
sub vcl_recv {
  if (req.url ~ "^/pipe") { return (pipe); }
  if (req.url ~ "^/synth") { return (synth(200)); }
}
sub vcl_backend_response { set beresp.do_esi = bereq.url ~ "^/page"; }
`;
const STEP = 8.192;
/** 5,000 kbit/s in steps of 1,024 bytes/s, rounded up. */
const PACE = 611 * STEP;

describe.skipIf(missing !== null).each(['the snippets', 'varnish.vcl'])(`%s in Varnish${skipped}`, (kind) => {
  const isSnippets = kind === 'the snippets';
  let origin: Server;
  let varnish: Varnish;
  let folder: string;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'odd-varnish-'));
    origin = createServer((message, response) => {
      const asksForPace = message.url?.includes('CMCD') ?? false;
      // With varnish.vcl, the backend is the policy.
      const verdict = {
        [INTERNAL_HEADERS.reason]: asksForPace ? 'requested' : 'no-rtp',
        ...(asksForPace && { [INTERNAL_HEADERS.pace]: /rtp%3D(\d+)/.exec(message.url ?? '')?.[1] ?? '' }),
      };
      const isPage = message.url?.startsWith('/page');
      response
        .writeHead(200, { 'Content-Type': 'text/html', ...(isSnippets ? {} : verdict) })
        .end(isPage ? '<p>a<esi:include src="/part"/>b' : 'part');
    }).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    const own = `vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "1"; }\n`;
    const vcl = isSnippets
      ? `${own}${snippet('varnish-recv.vcl')}${snippet('varnish-deliver.vcl')}${OWN}`
      : (await readFile(VARNISH_VCL, 'utf8')) + OWN;
    varnish = await startVarnish({
      backendPort: (origin.address() as AddressInfo).port,
      vcl,
      unixSocket: join(folder, 'varnish.sock'),
    });
  }, 60_000);
  afterAll(async () => {
    agent.destroy();
    await varnish.close();
    origin.closeAllConnections();
    origin.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (path: string, options: RequestOptions = {}) => {
    const sent = request({ host: '127.0.0.1', port: varnish.port, path, agent, ...options });
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    const clientPort = response.socket.localPort ?? 0;
    let body = '';
    for await (const chunk of response.setEncoding('utf8')) body += String(chunk);
    const header = (name: string): string | null => response.headers[name.toLowerCase()]?.toString() ?? null;
    return { body, clientPort, receipt: parseReceipt(header) };
  };
  const readPace = async (clientPort: number): Promise<number | undefined> =>
    (await socketPaces(varnish.port, [clientPort]))[0];

  it('keeps the pace of a page for its fragments', async () => {
    const { body, clientPort, receipt } = await ask('/page?CMCD=rtp%3D5000');
    expect(body).toBe('<p>apartb');
    expect(receipt.pace_kbps).toBeCloseTo(PACE, 2);
    expect(await readPace(clientPort)).toBeCloseTo(PACE, 2);
  });

  it('reports no pace on a Unix socket', async () => {
    const { receipt } = await ask('/1?CMCD=rtp%3D5000', { socketPath: join(folder, 'varnish.sock') });
    expect([receipt.pace_kbps, receipt.reason]).toEqual([null, 'not-client-socket']);
  });

  it('paces at 100 kbit/s at least', async () => {
    const { clientPort, receipt } = await ask('/1?CMCD=io.github.dashjs-sammy%2Crtp%3D1');
    expect([receipt.pace_kbps, receipt.reason]).toEqual([expect.closeTo(13 * STEP, 2), 'floor']);
    expect(await readPace(clientPort)).toBeCloseTo(13 * STEP, 2);
  });

  // Test `/pipe` last, because it connects the client directly to the origin.
  for (const path of isSnippets ? ['/synth', '/pipe'] : []) {
    it(`ends the pace before ${path}`, async () => {
      const paced = await ask('/1?CMCD=rtp%3D5000');
      expect(await readPace(paced.clientPort)).toBeCloseTo(PACE, 2);
      const { clientPort } = await ask(path);
      expect(clientPort).toBe(paced.clientPort);
      expect((await readPace(clientPort)) ?? Infinity).toBeGreaterThan(1e6);
    });
  }
});
