import { describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { milliseconds } from '../src/units.ts';
import { urlOrigin } from './url-origin.ts';

/** An origin whose upstream is a function. */
function over(
  upstream: (request: Request) => Response | Promise<Response>,
  base = 'https://cdn.example/base/',
) {
  const seen: Request[] = [];
  const origin = urlOrigin(base, {
    timeout: milliseconds(50),
    fetch: async (request) => {
      seen.push(request);
      return upstream(request);
    },
  });
  const ask = (path: string, init?: RequestInit) => origin(new Request(`http://edge${path}`, init));
  return { ask, seen };
}
const redirect = (location: string) => new Response(null, { status: 302, headers: { Location: location } });

describe('urlOrigin', () => {
  it('asks below its base for what matters only', async () => {
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

  it('cannot be talked into another host', async () => {
    const { ask, seen } = over(() => new Response('x'));
    await ask('//evil.example/x');
    expect(new URL(seen[0]?.url ?? '').host).toBe('cdn.example');
  });

  it('passes on what describes the object, neither hop-by-hop headers nor cookies', async () => {
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
      'the origin https://cdn.example redirects to https://evil.example, which is not allowed\n',
    ],
    [
      'endless redirects',
      () => redirect('/again'),
      502,
      'the origin https://cdn.example redirects more than 5 times\n',
    ],
    [
      'a redirect to nowhere',
      () => redirect('http://['),
      502,
      /^the origin https:\/\/cdn.example cannot be reached: .*\n$/,
    ],
    [
      'an encoding',
      () => new Response('x', { headers: { 'Content-Encoding': 'gzip' } }),
      502,
      /Content-Encoding gzip/,
    ],
    [
      'a refused connection',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })),
      502,
      'the origin https://cdn.example cannot be reached: ECONNREFUSED\n',
    ],
  ])('answers one line for %s', async (_, upstream, status, line) => {
    const answer = await over(upstream).ask('/1');
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(line);
  });

  it('does not wait for ever', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const base = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const answer = await urlOrigin(base, { timeout: milliseconds(50) })(new Request('http://edge/1'));
    expect(answer.status).toBe(504);
    expect(await answer.text()).toBe(`the origin ${base} did not answer within 0.05 s\n`);
    silent.close();
  });

  it.each(['cdn.example', 'ftp://cdn.example', 'https://u:p@cdn.example', 'https://cdn.example/?q'])(
    'refuses the base %s',
    (base) => {
      expect(() => urlOrigin(base)).toThrow(/^the origin '.*' is not usable; expected http/);
    },
  );
});
