import { once } from 'node:events';
import { createServer as createHttpServer, type Server, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { milliseconds } from '../src/units.ts';
import { fetchAsSent, fetchPatiently } from './local/fetch-as-sent.ts';
import { urlOrigin } from './url-origin.ts';

/** Creates an origin whose upstream server is a function. */
function over(
  upstream: (request: Request) => Response | Promise<Response>,
  base = 'https://cdn.example/base/',
) {
  const seen: Request[] = [];
  const problems: string[] = [];
  const origin = urlOrigin(base, {
    timeout: milliseconds(50),
    onProblem: (line) => problems.push(line),
    fetch: async (request) => {
      seen.push(request);
      return upstream(request);
    },
  });
  const ask = (path: string, init?: RequestInit) => origin(new Request(`http://edge${path}`, init));
  return { ask, seen, problems };
}
const redirect = (location: string) => new Response(null, { status: 302, headers: { Location: location } });

describe('urlOrigin', () => {
  it('requests paths below its base with only the relevant headers', async () => {
    const { ask, seen } = over(() => new Response('x'));
    await ask('/v/1.m4s?a=1', {
      headers: {
        Range: 'bytes=0-9',
        'If-None-Match': '"e"',
        Cookie: 'c',
        Authorization: 'a',
        'User-Agent': 'u',
      },
    });
    expect(seen[0]?.url).toBe('https://cdn.example/base/v/1.m4s?a=1');
    expect(Object.fromEntries(seen[0]?.headers ?? [])).toEqual({
      'accept-encoding': 'identity',
      'if-none-match': '"e"',
      range: 'bytes=0-9',
    });
  });

  it('passes on all conditional headers, and a 412 response', async () => {
    const { ask, seen } = over(() => new Response(null, { status: 412 }));
    const date = 'Mon, 01 Jan 2024 00:00:00 GMT';
    const conditions = {
      'if-match': '"e"',
      'if-modified-since': date,
      'if-none-match': '"f"',
      'if-range': '"e"',
      'if-unmodified-since': date,
    };
    expect((await ask('/1', { headers: conditions })).status).toBe(412);
    expect(Object.fromEntries(seen[0]?.headers ?? [])).toEqual({
      'accept-encoding': 'identity',
      ...conditions,
    });
  });

  it.each([
    `bytes=${Array.from({ length: 5000 }, (_, first) => `${first}-`).join()}`,
    'bytes=0-0,1-1',
    'bytes=0-0,',
    'lines=0-1',
  ])('requests the whole file if several ranges are requested', async (range) => {
    const { ask, seen } = over(() => new Response('x'));
    await ask('/1', { headers: { Range: range } });
    expect(seen[0]?.headers.has('Range')).toBe(false);
  });

  it.each([204, 205, 304])('removes the length with status %i, which has no body', async (status) => {
    const { ask } = over(
      () => new Response(null, { status, headers: { 'Content-Length': '5', ETag: '"e"' } }),
    );
    const answer = await ask('/1');
    expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([status, { etag: '"e"' }]);
  });

  it('cannot be redirected to another host by the request', async () => {
    const { ask, seen } = over(() => new Response('x'));
    await ask('//evil.example/x');
    expect(new URL(seen[0]?.url ?? '').host).toBe('cdn.example');
  });

  it.each([
    '/..%2fprivate',
    '/v/..%2F..%2fprivate',
    '/v%2f..%2fprivate',
    '/..%5cprivate',
    '/%252e%252e/private',
    '/..%252fprivate',
    '/..%25252fprivate',
    '/v/1%00.m4s',
    '/%ff/..%252f..%252fprivate/x',
    '/v/%zz/..%252fprivate',
    '/v/%25%32%66..%25%32%66private',
    '/v/..;/private',
    '/v/%252e.%253bx/private',
  ])('does not request %s, which an origin may decode', async (path) => {
    const { ask, seen } = over(() => new Response('x'));
    expect((await ask(path)).status).toBe(404);
    expect(seen).toEqual([]);
  });

  it.each([
    '/v/100%25.m4s',
    '/v/a%20b.m4s',
    '/v/..a/b..m4s',
    '/v/%e9.m4s',
    '/v/1%252b.m4s',
    '/v/%zz/a;b=..m4s',
  ])('requests %s', async (path) => {
    const { ask, seen } = over(() => new Response('x'));
    expect((await ask(path)).status).toBe(200);
    expect(seen[0]?.url).toBe(`https://cdn.example/base${path}`);
  });

  it("reports the origin's address and problem to the operator, not to the client", async () => {
    const { ask, problems } = over(() => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:8080')));
    expect(await (await ask('/1')).text()).toBe('the origin cannot be reached\n');
    expect(problems).toEqual([
      'the origin https://cdn.example cannot be reached: connect ECONNREFUSED 10.0.0.7:8080',
    ]);
  });

  it('does not report a client that disconnects before the response as a failure of the origin', async () => {
    const client = new AbortController();
    const { ask, problems } = over(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          client.abort();
        }),
    );
    const { status } = await ask('/1', { signal: client.signal });
    expect([status, problems]).toEqual([499, []]);
  });

  it('passes on headers that describe the object, but not hop-by-hop headers or cookies', async () => {
    const headers = {
      'Content-Range': 'bytes 0-0/9',
      ETag: '"e"',
      'Keep-Alive': 'timeout=5',
      Connection: 'x',
      'Set-Cookie': 'a=b',
      'Access-Control-Allow-Origin': 'x',
    };
    const { ask } = over(
      () => new Response('x', { status: 206, headers: { ...headers, 'Content-Type': 'video/mp4' } }),
    );
    const answer = await ask('/1');
    expect(answer.status).toBe(206);
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-range': 'bytes 0-0/9',
      'content-type': 'video/mp4',
      etag: '"e"',
    });
  });

  it('follows a redirect on its own host', async () => {
    const { ask } = over(({ url }) => (url.endsWith('/moved') ? new Response('found') : redirect('/moved')));
    expect(await (await ask('/1')).text()).toBe('found');
  });

  it.each([
    [
      'a redirect to another host',
      () => redirect('https://evil.example/'),
      502,
      'the origin redirects to another host, which is not allowed\n',
    ],
    ['endless redirects', () => redirect('/again'), 502, 'the origin redirects more than 5 times\n'],
    [
      'a redirect to nowhere',
      () => redirect('http://['),
      502,
      'the origin redirects to a URL that cannot be used\n',
    ],
    [
      'a refused connection',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })),
      502,
      'the origin cannot be reached\n',
    ],
  ])('answers with one line for %s', async (_, upstream, status, line) => {
    const answer = await over(upstream).ask('/1');
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe(line);
  });

  it.each(['https://user:secret@cdn.example/1?token=secret', 'http://[?token=secret'])(
    'does not follow a redirect to %s, and logs neither a password nor a query',
    async (location) => {
      const { ask, seen, problems } = over(() => redirect(location));
      expect((await ask('/1')).status).toBe(502);
      expect(seen).toHaveLength(1);
      expect(problems).toEqual(['the origin https://cdn.example redirects to a URL that cannot be used']);
    },
  );

  it('has a timeout', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const base = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const answer = await urlOrigin(base, { fetch: fetchAsSent, timeout: milliseconds(50) })(
      new Request('http://edge/1'),
    );
    expect(answer.status).toBe(504);
    expect(await answer.text()).toBe('the origin did not answer within 0.05 s\n');
    silent.close();
  });

  describe('if an origin stalls during a body', () => {
    const BETWEEN_BYTES = milliseconds(200);
    let origin: Server;
    let answer: (response: ServerResponse) => void = () => undefined;
    beforeAll(async () => {
      origin = createHttpServer((_, response) => {
        response.writeHead(200, { 'Content-Length': 10 }).flushHeaders();
        answer(response);
      }).listen(0, '127.0.0.1');
      await once(origin, 'listening');
    });
    afterAll(() => {
      origin.closeAllConnections();
      origin.close();
    });
    const ask = async (problems: string[] = []): Promise<Response> =>
      urlOrigin(`http://127.0.0.1:${(origin.address() as AddressInfo).port}`, {
        fetch: (request, timeout, onStalled) => fetchPatiently(request, timeout, BETWEEN_BYTES, onStalled),
        onProblem: (line) => problems.push(line),
      })(new Request('http://edge/1'));

    it('answers 504 with a message if no byte arrives', async () => {
      answer = () => undefined;
      const problems: string[] = [];
      expect((await ask(problems)).status).toBe(504);
      expect(problems[0]).toMatch(/ sent nothing of a body for 0\.2 s$/);
    });

    it('answers 502 if the origin disconnects before the first byte', async () => {
      answer = (response) => response.destroy();
      const problems: string[] = [];
      expect((await ask(problems)).status).toBe(502);
      expect(problems).toHaveLength(1);
    });

    it('aborts after 4 of ten bytes, with a message', async () => {
      answer = (response) => response.write('xxxx');
      const problems: string[] = [];
      const { body, status } = await ask(problems);
      expect(status).toBe(200);
      const began = performance.now();
      await expect(new Response(body).text()).rejects.toThrow('timed out');
      expect(performance.now() - began).toBeLessThan(20 * BETWEEN_BYTES);
      expect(problems).toEqual([
        expect.stringMatching(/^the origin http:\/\/127\.0\.0\.1:\d+ sent nothing of a body for 0\.2 s$/),
      ]);
    });

    it('waits as long as bytes arrive, and for a client that does not read', async () => {
      answer = (response) => {
        for (let n = 0; n < 10; n++) setTimeout(() => response.write('x'), (n * BETWEEN_BYTES) / 4);
      };
      const slow = await ask();
      await new Promise((resolve) => setTimeout(resolve, 2 * BETWEEN_BYTES));
      expect(await slow.text()).toBe('xxxxxxxxxx');
    });
  });

  it.each(['cdn.example', 'ftp://cdn.example', 'https://u:p@cdn.example', 'https://cdn.example/?q'])(
    'refuses the base %s',
    (base) => {
      expect(() => urlOrigin(base, { fetch: fetchAsSent })).toThrow(
        /^the origin '.*' is not usable; expected exactly http/,
      );
    },
  );
});
