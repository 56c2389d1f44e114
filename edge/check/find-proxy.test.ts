import { describe, expect, it } from 'vitest';
import { bytes, milliseconds } from '../../src/units.ts';
import type { Receipt } from '../../src/wire/receipt.ts';
import { findOtherEnd, canDetectForwarders } from './find-proxy.ts';
import { findDocsPage, findUnreadable } from './readable.ts';

const response = (before: number, sent: number | undefined, more: Partial<Receipt> = {}) => ({
  before: bytes(before),
  receipt: { ...(sent !== undefined && { sent_bytes: bytes(sent) }), ...more },
});
const ms = milliseconds;

it.each([
  ['the client’s own socket', [[response(0, 3000), response(1e6, 1.01e6)], [response(0, 3000)]], 'client'],
  ['a connection to the edge for each request', [[response(0, 300), response(1e6, 300)]], 'proxy'],
  [
    'a connection to the edge that is kept',
    [[response(0, 300), response(1e6, 1.01e6)], [response(0, 4e6)]],
    'proxy',
  ],
  [
    'connections that change',
    [[response(0, undefined, { connection: 'a' }), response(1e6, undefined, { connection: 'b' })]],
    'proxy',
  ],
  [
    'the client’s own socket on a lossy network',
    [[response(0, 3000), response(1e6, 1.6e6, { retransmitted_bytes: bytes(0.58e6) })]],
    'client',
  ],
  ['a receipt without counters', [[response(0, undefined, { connection: 'a' })]], 'unknown'],
  ['no receipt', [[response(0, undefined)]], 'unknown'],
] as const)('tells %s', (_, connections, expected) => {
  expect(findOtherEnd(connections, ms(0.1))).toBe(expected);
});

it.each([
  [30, 1, 'proxy'],
  [30, 28, 'client'],
  // On one machine, all round trips are short.
  [0.3, 0.02, 'client'],
])('compares a handshake of %d ms with a round trip of %d ms', (handshake, least, expected) => {
  const connections = [[response(0, 300, { min_rtt_ms: ms(least) })]];
  expect(findOtherEnd(connections, ms(handshake))).toBe(expected);
  expect(canDetectForwarders(connections, ms(handshake))).toBe(handshake > 3);
});

describe('what a page may read', () => {
  const of = (headers: Record<string, string>) => findUnreadable((name) => new Headers(headers).get(name));
  const all = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'cmsd-dynamic, Server-Timing',
    'Timing-Allow-Origin': '*',
  };
  it.each([
    [all, null],
    [{ ...all, 'Access-Control-Expose-Headers': '*' }, null],
    [
      { ...all, 'Access-Control-Expose-Headers': 'Server-Timing' },
      { notExposed: ['CMSD-Dynamic'], hasNoTiming: false },
    ],
    [
      { 'Access-Control-Allow-Origin': '*' },
      { notExposed: ['CMSD-Dynamic', 'Server-Timing'], hasNoTiming: true },
    ],
    // Without CORS headers, only pages of the same origin can play the content, and they may read everything.
    [{}, null],
  ])('by %j', (headers, expected) => expect(of(headers)).toEqual(expected));
});

it.each([
  [{ Server: 'nginx/1.22.1' }, 'docs/edge/nginx.md'],
  [{ 'X-Varnish': '1', Server: 'nginx' }, 'docs/edge/varnish.md'],
  [{ 'X-Served-By': 'cache-ams21-AMS' }, 'docs/edge/fastly.md'],
  [{ Server: 'Caddy' }, 'docs/edge/others.md'],
  [{}, 'docs/edge/index.md#is-it-pacing'],
])('points from %j to %s', (headers, page) => {
  expect(findDocsPage((name) => new Headers(headers as Record<string, string>).get(name))).toBe(page);
});
