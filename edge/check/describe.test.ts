import { describe as group, expect, it } from 'vitest';
import { kbps } from '../../src/units.ts';
import { cacheWord } from './cache-word.ts';
import { describe } from './describe.ts';
import type { Findings } from './examine.ts';

const paced = (over: Partial<NonNullable<Findings['paced']>> = {}) => ({
  asked: kbps(5000),
  status: 200,
  receipt: { pace_kbps: kbps(5000), reason: 'requested' },
  rate: kbps(4850),
  ...over,
});
const found = (over: Partial<Findings> = {}): Findings => ({
  protocol: 'HTTP/1.1',
  status: 200,
  bytes: 2_000_000,
  least: 100_000,
  unpaced: kbps(90_000),
  paced: paced(),
  released: kbps(120_000),
  cache: { fresh: 'hit', again: 'hit' },
  offersHttp3: false,
  ...over,
});
const without = (reason: string) =>
  found({ paced: paced({ receipt: { pace_kbps: null, reason }, rate: kbps(80_000) }) });

group('the verdict', () => {
  const CASES: [string, Findings, boolean, RegExp][] = [
    [
      'a paced URL',
      found(),
      true,
      /^PACED over HTTP\/1\.1: 4\.85 Mbit\/s of 5\.00 Mbit\/s \(97%\); the cache keeps one copy/,
    ],
    [
      'a cache that is split',
      found({ cache: { fresh: 'miss', again: 'hit' } }),
      false,
      /^PACED .*, but the cache keeps a copy for each CMCD$/,
    ],
    [
      'what is not cached',
      found({ cache: { fresh: 'miss', again: 'miss' } }),
      true,
      /^PACED .*keeps no copy$/,
    ],
    ['no cache', found({ cache: { fresh: null, again: null } }), true, /^PACED .*no cache tells of itself/],
    [
      'a receipt that is not true',
      found({ paced: paced({ rate: kbps(40_000) }) }),
      false,
      /^NOT PACED .* says 5\.00 Mbit\/s, but 40\.0 Mbit\/s came$/,
    ],
    [
      'no receipt',
      found({ paced: paced({ receipt: {} }) }),
      false,
      /^NOT PACED over HTTP\/1\.1: the answer has no receipt$/,
    ],
    ['a reason', without('shared-connection'), false, /^NOT PACED over HTTP\/1\.1: shared-connection$/],
    [
      'a CDN that refuses CMCD',
      found({ paced: paced({ status: 403, receipt: {} }) }),
      false,
      /^NOT PACED: with CMCD it is answered 403, without 200$/,
    ],
    [
      'a network that is slower',
      found({ paced: paced({ rate: kbps(3000) }) }),
      false,
      /^CANNOT TELL: less came/,
    ],
    [
      'a network that looks like the pace',
      found({ unpaced: kbps(5200) }),
      false,
      /^CANNOT TELL: without rtp no more comes/,
    ],
    [
      'too little',
      found({ paced: paced({ rate: null }) }),
      false,
      /^CANNOT TELL: the body came all at once$/,
    ],
  ];
  it.each(CASES)('of %s', (_, findings, ok, first) => {
    const { ok: told, lines } = describe(findings);
    expect([told, lines[0]]).toEqual([ok, expect.stringMatching(first)]);
  });

  it('says what is to be done about a reason, and about HTTP/3', () => {
    expect(describe(without('not-client-socket')).lines[1]).toContain('another program ends your connection');
    expect(describe(found({ offersHttp3: true })).lines.at(-1)).toContain('Alt-Svc');
  });

  it('tells nothing of what cannot be measured', () => {
    const { paced: _, ...small } = found({ bytes: 900 });
    expect(describe(small).lines[0]).toBe(
      'CANNOT TELL: it has 900 bytes; give a media segment of at least 100 kB',
    );
    expect(describe({ ...small, status: 404 }).lines[0]).toBe('CANNOT TELL: the URL is answered 404');
  });
});

it.each([
  [{ 'Cache-Status': 'shield; fwd=miss, edge; hit; ttl=5' }, 'hit'],
  [{ 'Cache-Status': 'edge; fwd=uri-miss; stored' }, 'miss'],
  [{ 'X-Cache': 'MISS, HIT' }, 'hit'],
  [{ 'X-Cache': 'Miss from cloudfront' }, 'miss'],
  [{ 'CF-Cache-Status': 'DYNAMIC' }, 'miss'],
  [{ 'X-Varnish': '32770 3' }, 'hit'],
  [{ 'X-Varnish': '32770', Age: '0' }, 'miss'],
  [{ Age: '12' }, 'hit'],
  [{ Age: '0' }, null],
  [{}, null],
])('%j of a cache means %s', (headers, word) => {
  expect(cacheWord((name) => new Headers(headers).get(name))).toBe(word);
});
