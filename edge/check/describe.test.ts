import { describe as group, expect, it } from 'vitest';
import { kbps } from '../../src/units.ts';
import { cacheResult } from './cache-word.ts';
import { describe } from './describe.ts';
import { http3Port } from './examine-http3.ts';
import type { Findings } from './examine.ts';

const paced = (over: Partial<NonNullable<Findings['paced']>> = {}) => ({
  asked: kbps(5000),
  status: 200,
  receipt: { pace_kbps: kbps(5000), reason: 'requested' },
  rate: kbps(4850),
  unreadable: null,
  isShared: true,
  otherEnd: 'client' as const,
  canDetectForwarders: true,
  page: 'docs/edge/nginx.md',
  ...over,
});
const found = (over: Partial<Findings> = {}): Findings => ({
  protocol: 'HTTP/1.1',
  status: 200,
  bytes: 2_000_000,
  type: 'video/mp4',
  least: 100_000,
  unpaced: kbps(90_000),
  paced: paced(),
  released: kbps(120_000),
  cache: { fresh: 'hit', again: 'hit' },
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
    ['no cache', found({ cache: { fresh: null, again: null } }), true, /^PACED .*no cache identified itself/],
    [
      'a receipt that is not true',
      found({ paced: paced({ rate: kbps(40_000) }) }),
      false,
      /^NOT PACED .* says 5\.00 Mbit\/s, but 40\.0 Mbit\/s came$/,
    ],
    [
      'no receipt, at the rate that was asked for',
      found({ paced: paced({ receipt: {} }) }),
      false,
      /^PACED, NOT TOLD over HTTP\/1\.1: 4\.85 Mbit\/s of 5\.00 Mbit\/s \(97%\), but the answer has no receipt$/,
    ],
    [
      'no receipt, and no pace',
      found({ paced: paced({ receipt: {}, rate: kbps(80_000) }) }),
      false,
      /^NOT PACED over HTTP\/1\.1: the answer has no receipt$/,
    ],
    [
      'no receipt where the network is as slow as the pace',
      found({ unpaced: kbps(5200), paced: paced({ receipt: {} }) }),
      false,
      /^NOT PACED over HTTP\/1\.1: the answer has no receipt$/,
    ],
    [
      'a receipt that no page can read',
      found({ paced: paced({ unreadable: { notExposed: ['CMSD-Dynamic'], hasNoTiming: true } }) }),
      false,
      /^PACED, NOT TOLD over HTTP\/1\.1: .*, but pages of other origins cannot read the receipt$/,
    ],
    [
      'a proxy in front',
      found({ paced: paced({ otherEnd: 'proxy' }) }),
      false,
      /^NOT PACED over HTTP\/1\.1: another program ends your connection before the edge$/,
    ],
    [
      'a ceiling',
      found({
        paced: paced({ receipt: { pace_kbps: kbps(3000), reason: 'ceiling' }, rate: kbps(2900) }),
      }),
      true,
      /^PACED .* of 3\.00 Mbit\/s \(97%\), the ceiling, where 5\.00 Mbit\/s was asked for; /,
    ],
    ['a reason', without('shared-connection'), false, /^NOT PACED over HTTP\/1\.1: shared-connection$/],
    [
      'a CDN that refuses CMCD',
      found({ paced: paced({ status: 403, receipt: {} }) }),
      false,
      /^NOT PACED: with CMCD the status is 403, without 200$/,
    ],
    [
      'a network that is slower',
      found({ paced: paced({ rate: kbps(3000) }) }),
      false,
      /^CANNOT TELL: received 3\.00 Mbit\/s, less than the pace of 5\.00 Mbit\/s$/,
    ],
    [
      'a network that looks like the pace',
      found({ unpaced: kbps(5200) }),
      false,
      /^CANNOT TELL: without rtp the URL is not faster/,
    ],
    [
      'too little',
      found({ paced: paced({ rate: null }) }),
      false,
      /^CANNOT TELL: the body came in too few bursts to measure its rate$/,
    ],
  ];
  it.each(CASES)('of %s', (_, findings, ok, first) => {
    const { ok: told, lines } = describe(findings);
    expect([told, lines[0]]).toEqual([ok, expect.stringMatching(first)]);
  });

  it('names the headers that a page cannot read', () => {
    const { lines } = describe(
      found({
        paced: paced({ unreadable: { notExposed: ['CMSD-Dynamic', 'Server-Timing'], hasNoTiming: true } }),
      }),
    );
    expect(lines[1]).toBe(
      'Access-Control-Expose-Headers lacks CMSD-Dynamic and Server-Timing: a page does not see them',
    );
    expect(lines[2]).toMatch(/^Timing-Allow-Origin is missing: /);
    expect(lines.at(-1)).toBe('more: docs/edge/nginx.md');
  });

  it('warns that intermediaries cannot be detected', () => {
    const near = describe(found({ paced: paced({ canDetectForwarders: false }) }));
    expect([near.ok, near.lines.at(-1)]).toEqual([
      true,
      expect.stringMatching(/docker-proxy does: the round trip/),
    ]);
    const silent = describe(found({ paced: paced({ canDetectForwarders: false, otherEnd: 'unknown' }) }));
    expect([silent.ok, silent.lines.at(-1)]).toEqual([true, expect.stringMatching(/does not count bytes$/)]);
  });

  it('explains how to fix a reason', () => {
    expect(describe(without('not-client-socket')).lines[1]).toContain('another program terminates');
  });

  it.each([
    [kbps(90_000), /^the network is fast enough, .* run check again$/],
    [null, /^the network is fast enough/],
    [kbps(3100), /give a lower --rtp-kbps/],
  ])('advises by the unpaced rate of %s kbit/s if less than the pace arrived', (unpaced, advice) => {
    expect(describe(found({ unpaced, paced: paced({ rate: kbps(3000) }) })).lines[1]).toMatch(advice);
  });

  const http3 = {
    asked: kbps(5000),
    status: 200,
    receipt: { pace_kbps: kbps(5000), reason: 'requested' },
    rate: kbps(4990),
    unpaced: kbps(90_000),
  };
  const overHttp3: [string, NonNullable<Findings['http3']>, boolean, RegExp][] = [
    ['is paced', http3, true, /^PACED over HTTP\/3 too: 4\.99 Mbit\/s of 5\.00 Mbit\/s \(100%\)/],
    [
      'is not paced',
      { ...http3, rate: kbps(80_000) },
      false,
      /NOT PACED over HTTP\/3: the receipt says 5\.00/,
    ],
    [
      'has no receipt',
      { ...http3, receipt: {} },
      false,
      /NOT PACED over HTTP\/3: the answer has no receipt$/,
    ],
    [
      'cannot pace',
      { ...http3, receipt: { pace_kbps: null, reason: 'platform-cannot-pace' } },
      false,
      /NOT PACED over HTTP\/3: platform-cannot-pace$/,
    ],
    ['is slower', { ...http3, rate: kbps(900) }, true, /CANNOT TELL whether that is paced: 0\.900 Mbit/],
    ['cannot be tested', { missing: 'no curl' }, true, /^it offers HTTP\/3 .* was not measured: no curl$/],
  ];
  it.each(overHttp3)('of HTTP/3 that %s', (_, findings, ok, line) => {
    const told = describe(found({ http3: findings }));
    expect([told.ok, told.lines.filter((each) => line.test(each)).length]).toEqual([ok, 1]);
  });

  it.each([
    ['h3=":443"; ma=86400', 443],
    ['h2=":8000", h3=":8443"', 8443],
    ['h3-29=":443"', 443],
    ['h3="other.example:443"', null],
    ['h2=":443"', null],
    [null, null],
  ])('sends browsers by Alt-Svc %j to port %j', (header, port) => {
    expect(http3Port(header)).toBe(port);
  });

  it('reports nothing about unmeasured values', () => {
    const { paced: _, ...small } = found({ bytes: 900 });
    expect(describe(small).lines[0]).toBe(
      'CANNOT TELL: it has 900 bytes; give a media segment of at least 100 kB',
    );
    expect(describe({ ...small, type: 'text/html; charset=utf-8' }).lines).toEqual([
      'CANNOT TELL: this is a page (text/html); give the URL of a media segment that its player loads',
    ]);
    expect(describe({ ...small, status: 404 }).lines[0]).toBe('CANNOT TELL: the status is 404');
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
  expect(cacheResult((name) => new Headers(headers).get(name))).toBe(word);
});
