import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { FALCO_MISSING, findFalco, startFalco } from './falco.ts';
import { startVarnish, missingVarnishReason, VARNISH_VCL } from './varnish.ts';

/**
 * Tests without the policy: nothing listens at its address, or another server responds there. Playback must continue
 * from the origin, unpaced.
 */
const missing = {
  'varnish.vcl in Varnish': missingVarnishReason(),
  'fastly.vcl in falco': findFalco() === undefined ? FALCO_MISSING : null,
};

interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly body: string;
}

describe.each(Object.entries(missing))('%s', (shim, missing) => {
  let origin: Server;
  let policy: Server;
  let front: { readonly port: number; close(): Promise<void> };
  let seen: IncomingMessage[] = [];
  let serve: RequestListener;
  let decide: RequestListener;
  const healthy = (response: ServerResponse): void => void response.writeHead(204).end();
  let probed = healthy;
  const media: RequestListener = (_, response) => {
    response.writeHead(response.statusCode, {
      'Content-Type': 'video/mp4',
      'Set-Cookie': 'a=b',
      // Internal headers that only the policy may set. Here, the origin forges them.
      'X-Sammy-Pace-Kbps': '1100',
      'X-Sammy-Pace-Reason': 'requested',
    });
    response.end('media');
  };
  // If a backend disconnects, falco answers 502, but Fastly runs vcl_error, which shims.test.ts tests.
  const gone: RequestListener = shim.includes('falco')
    ? (_, response) => response.writeHead(503).end()
    : (message) => message.socket.destroy();
  const getPort = (server: Server): number => (server.address() as AddressInfo).port;

  beforeAll(async () => {
    if (missing !== null) return;
    origin = createServer((message, response) => {
      seen.push(message);
      serve(message, response);
    }).listen(0, '127.0.0.1');
    policy = createServer((message, response) =>
      isProbe(message) ? probed(response) : decide(message, response),
    ).listen(0, '127.0.0.1');
    await Promise.all([once(origin, 'listening'), once(policy, 'listening')]);
    const backendPort = getPort(policy);
    front = shim.includes('Varnish')
      ? await startVarnish({
          backendPort,
          origin: `http://127.0.0.1:${getPort(origin)}`,
          vcl: await impatient(),
        })
      : await startFalco({ backendPort, originPort: getPort(origin) });
  }, 60_000);
  afterAll(async () => {
    if (missing !== null) return;
    await front.close();
    for (const server of [origin, policy]) {
      server.closeAllConnections();
      server.close();
    }
  });
  afterEach(() => {
    seen = [];
  });

  const ask = async (path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> => {
    const asked = request({ port: front.port, host: '127.0.0.1', path, method, headers, agent: false });
    const [response] = (await once(asked.end(), 'response')) as [IncomingMessage];
    let body = '';
    for await (const chunk of response.setEncoding('utf8')) body += String(chunk);
    const header = (name: string): string | null => response.headers[name.toLowerCase()]?.toString() ?? null;
    return { status: response.statusCode ?? 0, header, body };
  };
  const withFalcoOrVarnish = (name: string, test: () => Promise<void>): void =>
    it(name, async (context) => {
      if (missing !== null) return context.skip(missing);
      [serve, decide] = [media, gone];
      await test();
    });

  withFalcoOrVarnish('serves the media from the origin, unpaced, and says why', async () => {
    serve = (message, response) => {
      response.setHeader('Content-Range', 'bytes 0-4/9');
      response.statusCode = 206;
      media(message, response);
    };
    const answer = await ask('/v/1.m4s?a=1&CMCD=rtp%3D5000%2Cnor%3D%22..%252F2.m4s%22&b=2', 'GET', {
      Range: 'bytes=0-4',
      Cookie: 'secret=1',
      'CMCD-Object': 'br=3000',
    });
    expect([answer.status, answer.body]).toEqual([206, 'media']);
    expect(parseReceipt(answer.header)).toMatchObject({ pace_kbps: null, reason: 'policy-unreachable' });
    expect(answer.header('Access-Control-Allow-Origin')).toBe('*');
    expect(answer.header('Access-Control-Expose-Headers')).toContain('CMSD-Dynamic');
    expect(answer.header('Set-Cookie')).toBeNull();
    expect(answer.header('X-Sammy-Pace-Kbps')).toBeNull();
    expect(seen.map(({ url }) => url)).toEqual(['/v/1.m4s?a=1&b=2']);
    expect(seen[0]?.headers).toMatchObject({ range: 'bytes=0-4' });
    expect(Object.keys(seen[0]?.headers ?? {}).filter((name) => /^(cmcd|cookie)/.test(name))).toEqual([]);
  });

  withFalcoOrVarnish(
    'removes CMCD with a percent-encoded name, or without a value, for the origin',
    async () => {
      await ask('/v/1.m4s?%43MCD=rtp%3D5000&a=1&CM%43%44=sid&CMCD');
      await ask('/v/1.m4s?CMCD&b=CMCD=1&cmcd=2');
      expect(seen.map(({ url }) => url)).toEqual(['/v/1.m4s?a=1', '/v/1.m4s?b=CMCD=1&cmcd=2']);
    },
  );

  withFalcoOrVarnish('treats an error without a reason as not from the policy', async () => {
    decide = (_, response) => response.writeHead(500).end('no such service');
    expect(await ask('/v/1.m4s')).toMatchObject({ status: 200, body: 'media' });
    decide = (_, response) =>
      response.writeHead(503, { 'X-Sammy-Pace-Reason': 'error-response' }).end('busy');
    expect(await ask('/v/1.m4s')).toMatchObject({ status: 503, body: 'busy' });
    expect(seen).toHaveLength(1);
  });

  withFalcoOrVarnish("keeps the origin's own word on which page may read it", async () => {
    const own = {
      'Access-Control-Allow-Origin': 'https://page.example',
      'Access-Control-Expose-Headers': 'X-Film',
      'Timing-Allow-Origin': 'https://page.example',
    };
    serve = (_, response) => response.writeHead(200, own).end('media');
    const { header } = await ask('/v/1.m4s');
    expect(header('Access-Control-Allow-Origin')).toBe('https://page.example');
    expect(header('Timing-Allow-Origin')).toBe('https://page.example');
    expect(header('Access-Control-Expose-Headers')).toMatch(/^X-Film, CMSD-Dynamic, /);
  });

  withFalcoOrVarnish('answers a preflight itself', async () => {
    const asked = { Origin: 'https://page.example', 'Access-Control-Request-Headers': 'authorization' };
    const { status, header } = await ask('/v/1.m4s', 'OPTIONS', asked);
    expect(status).toBe(204);
    expect(header('Access-Control-Allow-Origin')).toBe('*');
    expect(header('Access-Control-Allow-Headers')).toMatch(/CMCD-Status, .*, authorization$/);
    expect(seen).toEqual([]);
  });

  const refused = [
    ...['/via/https/other.example/1.m4s', '/..%2fprivate', '/v/%2e%2E/private', '/v/a%5cb'],
    ...['/..%252fprivate', '/%ff/..%252f..%252fprivate/x', '/v/%252e%252e/private', '/v/%25%32%66..'],
    ...['/v/..;/private', '/v/%2e%2e%3Bx/private'],
  ];
  withFalcoOrVarnish('asks the origin for nothing that only the policy can allow', async () => {
    for (const path of refused) {
      const { status, header } = await ask(path);
      expect([path, status]).toEqual([path, 503]);
      expect(header('Access-Control-Allow-Origin')).toBe('*');
    }
    expect((await ask('/v/1.m4s', 'DELETE')).status).toBe(503);
    expect(seen).toEqual([]);
  });

  withFalcoOrVarnish('answers 503 to any page when the origin is unreachable, too', async () => {
    serve = gone;
    const { status, header } = await ask('/v/1.m4s?CMCD=rtp%3D5000');
    expect(status).toBe(503);
    expect(header('Access-Control-Allow-Origin')).toBe('*');
    expect(parseReceipt(header)).toMatchObject({ pace_kbps: null, reason: 'error-response' });
  });

  // falco has no health checks.
  if (!shim.includes('falco'))
    it('does not wait for a policy that accepts connections and sends nothing, after its health check has failed', async (context) => {
      if (missing !== null) return context.skip(missing);
      serve = media;
      let waiting = 0;
      probed = () => undefined;
      decide = () => {
        waiting++;
      };
      try {
        // Abort requests that still reach the policy, which hang for its first_byte_timeout.
        const soon = async (): Promise<string> =>
          Promise.race([ask('/v/1.m4s').then(({ body }) => body), delay(1000, 'nothing', { ref: false })]);
        await expect.poll(soon, { timeout: 30_000 }).toBe('media');
        const before = waiting;
        expect(await ask('/v/1.m4s')).toMatchObject({ status: 200, body: 'media' });
        expect(waiting).toBe(before);
      } finally {
        probed = healthy;
      }
      // Once the policy answers again, requests go to it again.
      decide = (_, response) =>
        response.writeHead(503, { 'X-Sammy-Pace-Reason': 'error-response' }).end('busy');
      await expect.poll(async () => (await ask('/v/1.m4s')).body, { timeout: 30_000 }).toBe('busy');
    }, 70_000);
});

const isProbe = ({ method, url }: IncomingMessage): boolean => method === 'OPTIONS' && url === '/';

/** Returns varnish.vcl with shorter times for the health check, so that the test is fast. */
const impatient = async (): Promise<string> =>
  (await readFile(VARNISH_VCL, 'utf8'))
    .replace('.interval = 5s', '.interval = 500ms')
    .replace('.timeout = 4s', '.timeout = 2s');
