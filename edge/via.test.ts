import { describe, expect, it } from 'vitest';
import type { Origin } from './origin.ts';
import { mountOrigins, viaPath } from './via.ts';

const named =
  (name: string): Origin =>
  (request) => {
    const { pathname, search } = new URL(request.url);
    return Promise.resolve(new Response(`${name} ${pathname}${search}`));
  };
const mounted = mountOrigins({
  main: named('main'),
  allowed: ['https://cdn.example', 'http://127.0.0.1:8080'],
  setting: '--allow-origin',
  open: named,
});
const ask = async (path: string) => {
  const answer = await mounted(new Request(`http://edge${path}`));
  return `${answer.status} ${(await answer.text()).trim()}`;
};

describe('mountOrigins', () => {
  it.each([
    ['/v/1.m4s?a=1', '200 main /v/1.m4s?a=1'],
    ['/via/https/cdn.example/v/1.m4s?a=1', '200 https://cdn.example /v/1.m4s?a=1'],
    ['/via/http/127.0.0.1:8080/', '200 http://127.0.0.1:8080 /'],
    // The same origin with capital letters and with its default port.
    ['/via/https/CDN.example:443/x', '200 https://cdn.example /x'],
    // A path that looks like another host stays a path.
    ['/via/https/cdn.example//evil.example/x', '200 https://cdn.example //evil.example/x'],
    ['/via/https/', '404 expected /via/SCHEME/HOST[:PORT]/PATH'],
    ['/via/ftp/cdn.example/x', '404 expected /via/SCHEME/HOST[:PORT]/PATH'],
  ])('%s', async (path, expected) => expect(await ask(path)).toBe(expected));

  it.each([
    '/via/http/cdn.example/x',
    '/via/https/cdn.example:8443/x',
    '/via/https/evil.example/x',
    '/via/https/cdn.example.evil.example/x',
    '/via/https/cdn.example@evil.example/x',
    '/via/https/evil.example%2f@cdn.example:81/x',
    '/via/http/127.1:8081/x',
  ])('refuses %s', async (path) =>
    expect(await ask(path)).toMatch(
      /^(403 .* is not an allowed origin; allow it with --allow-origin http|404)/,
    ),
  );

  it.each(['cdn.example', 'ftp://cdn.example', 'https://cdn.example/path', 'https://u@cdn.example', ''])(
    'refuses %j as an allowed origin',
    (entry) => {
      expect(() =>
        mountOrigins({ main: named('main'), allowed: [entry], setting: '--allow-origin', open: named }),
      ).toThrow(/^allowed origin '/);
    },
  );
});

it('mountOrigins reverses viaPath', async () => {
  expect(viaPath('https://cdn.example/a/b.mpd?x=1')).toBe('/via/https/cdn.example/a/b.mpd?x=1');
  expect(await ask(viaPath('http://127.0.0.1:8080/a.mpd'))).toBe('200 http://127.0.0.1:8080 /a.mpd');
});
