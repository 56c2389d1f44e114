import fc, { type Arbitrary } from 'fast-check';
import { CMCD_HEADERS } from '../cmcd.ts';
import { INTERNAL_HEADERS } from '../internal-headers.ts';

/** Fragments that often break parsers of headers, paths and numbers. */
const BAD_FRAGMENTS = [
  ...['\r\n', '\n', '\0', '\t', '"', '\\', '\\"', ',', ';', '=', '(', ')', ':', '?', '#', '&', '%', '+', ' '],
  ...['%0d%0aX-Injected: 1', '\r\nX-Injected: 1\r\n\r\n', '%00', '%zz', '%25', '%2e%2e%2f', '../', '//', '@'],
  ...['é', '\u2028', '😀', '\ud800', '__proto__', 'constructor', 'rtp', 'CMCD=', '-', '9'.repeat(20), '1e9'],
];
const nasty = fc.constantFrom(...BAD_FRAGMENTS);

const pickOne = (...texts: string[]) => fc.constantFrom(...texts);
const joined = (...parts: Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));
const many = (part: Arbitrary<string>, maxLength: number, separator = '') =>
  fc.array(part, { maxLength }).map((parts) => parts.join(separator));

/** Replaces lone surrogates by U+FFFD, because they are invalid in a URL. */
export const wellFormed = (text: string): string => text.replace(/[\ud800-\udfff]/gu, '\ufffd');

/** Texts with a part removed, doubled or inserted. */
const mutated = (text: Arbitrary<string>): Arbitrary<string> =>
  fc
    .tuple(
      text,
      fc.nat(),
      fc.nat(20),
      fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 8 })),
      fc.nat(9),
    )
    .map(([text, where, length, inserted, times]) => {
      const at = where % (text.length + 1);
      return text.slice(0, at) + inserted.repeat(times === 0 ? 200 : 1) + text.slice(at + (length % 5));
    });
const oftenMutated = (text: Arbitrary<string>): Arbitrary<string> =>
  fc.oneof({ arbitrary: text, weight: 8 }, mutated(text), mutated(mutated(text)));

/**
 * Generates a part of a request, which is invalid in 1 of 61 cases. A request has a dozen parts, and a server rejects a
 * request with an invalid part. Most requests must be valid, because otherwise only the parser would be tested.
 */
const mostly = (usual: Arbitrary<string>, ...odd: string[]): Arbitrary<string> =>
  fc.oneof({ arbitrary: usual, weight: 60 }, pickOne(...odd));
const seldomMutated = (text: Arbitrary<string>): Arbitrary<string> =>
  fc.oneof({ arbitrary: text, weight: 60 }, mutated(text), mutated(mutated(text)));

const key = pickOne(
  'rtp',
  'RTP',
  'br',
  'bl',
  'mtp',
  'sid',
  'su',
  'v',
  'nor',
  'com.example-x',
  'constructor',
  '',
);
const number = fc.oneof(
  fc.integer({ min: 1, max: 100_000_000 }).map(String),
  fc.integer().map(String),
  fc.double().map(String),
  pickOne('0', '1', '100', '-100', '1e5', '0x10', '007', '9'.repeat(400), '5000.5', '?1', 'NaN', ''),
);
const value = fc.oneof(
  { arbitrary: number, weight: 4 },
  fc.string({ maxLength: 12 }).map((text) => `"${text}"`),
  many(number, 4, ' ').map((items) => `(${items})`),
  nasty,
);
const member = fc.oneof(
  joined(key, pickOne('=', ';', '', '= '), value),
  key,
  joined(key, pickOne('='), value, value),
);

/** CMCD payloads: mostly dictionaries with a small error. */
export const cmcdInput = (corpus: readonly string[]): Arbitrary<string> =>
  oftenMutated(
    fc.oneof(
      { arbitrary: many(member, 8, ','), weight: 3 },
      many(fc.oneof(member, nasty), 12),
      fc.constantFrom(...corpus),
    ),
  );

// {canary} stands for a server that the edge must never contact, {allowed} for an allowed origin below /via/.
const target = seldomMutated(
  fc.oneof(
    mostly(
      pickOne('/1.m4s', '/film/2.m4s', '/', '/1.m4s?CMCD=rtp%3D5000', '/1.m4s?CMCD=rtp=1&a=b'),
      ...['*', '', '{canary}:443'],
    ),
    pickOne('/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/film/../../secret.txt', '/.hidden'),
    pickOne(
      '/link.txt',
      '/..\\secret.txt',
      '//{canary}/x',
      'http://{canary}/x',
      '/?mpd=http://{canary}/x.mpd',
    ),
    pickOne('/via/http/{canary}/x', '/via/http/{allowed}@{canary}/x', '/via/http/{canary}%2f@{allowed}/x'),
    pickOne(
      '/via/http/{allowed}/x',
      '/via/http/{allowed}/../../x',
      '/via/http/{allowed}//{canary}/x',
      '/via/',
    ),
    pickOne('/via/http/{allowed}/redirect', '/via/file/etc/passwd', '/via/http/%7bcanary%7d/'),
    member.map((text) => `/1.m4s?CMCD=${encodeURI(wellFormed(text))}`),
  ),
);
const BODY_LENGTHS = ['Content-Length: ', 'Transfer-Encoding: '].flatMap((name) =>
  ['0', '5', '-1', 'chunked', 'gzip, chunked'].map((value) => name + value),
);
const header = seldomMutated(
  fc.oneof(
    joined(pickOne(...CMCD_HEADERS), pickOne(': '), many(member, 3, ',')),
    joined(
      pickOne(...Object.values(INTERNAL_HEADERS)),
      pickOne(': '),
      pickOne('1', '100', 'requested', '-1'),
    ),
    joined(pickOne('Range: bytes='), number, pickOne('-', ''), number),
    mostly(pickOne('Content-Length: 0', 'Accept: */*'), ...BODY_LENGTHS),
    pickOne(
      'Connection: close',
      'Connection: keep-alive',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
    ),
    pickOne(
      'Expect: 100-continue',
      'If-None-Match: *',
      'If-Range: "x"',
      'If-Modified-Since: x',
      'TE: trailers',
    ),
    mostly(
      pickOne('X-Forwarded-Host: {canary}'),
      'Host: {canary}',
      'Host: a:b:c',
      'Host: [::1',
      'no colon',
      ' folded',
    ),
    joined(
      pickOne('Origin: ', 'Referer: ', 'Cookie: ', 'X-Y: '),
      fc.oneof({ arbitrary: value, weight: 5 }, nasty),
    ),
  ),
);
const request = joined(
  mostly(
    fc.oneof({ arbitrary: pickOne('GET'), weight: 6 }, pickOne('HEAD', 'OPTIONS', 'POST', 'TRACE')),
    ...['CONNECT', 'get', 'PRI'],
  ),
  mostly(pickOne(' '), '  ', '\t'),
  target,
  mostly(pickOne(' HTTP/1.1\r\n'), ' HTTP/1.0\r\n', ' HTTP/2.0\r\n', '\r\n', ' HTTP/1.1\n'),
  mostly(pickOne('Host: edge\r\n'), '', 'Host:\r\n', 'Host: edge\r\nHost: b\r\n', 'Host: {canary}\r\n'),
  many(
    header.map((line) => `${line}\r\n`),
    4,
  ),
  mostly(pickOne('\r\n'), '', '\n', '\r\n5\r\nhello\r\n0\r\n\r\n', '\r\nhello'),
);

/** The bytes that a client sends on one connection: one or more valid or invalid requests. */
export const rawInput = (corpus: readonly string[]): Arbitrary<string> =>
  fc.oneof(
    { arbitrary: request, weight: 20 },
    { arbitrary: joined(request, many(request, 2)), weight: 5 },
    mutated(fc.constantFrom(...corpus)),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
