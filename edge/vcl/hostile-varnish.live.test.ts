import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { VARNISH_SERVICE } from '../testing/snippet-services.ts';
import { missingVarnishReason, startVarnish, type Varnish } from './varnish.ts';

/**
 * Tests CMCD that reaches Varnish's limits. Each step of the snippets copies the CMCD into the workspace of 96 kB, of
 * which a request uses up to 32 kB, and a regular expression may try 10,000 alternatives. Above either limit, Varnish
 * answers 503.
 */
const missing = missingVarnishReason();
/** `pcre2_match_limit`, `workspace_client` and the others have Varnish's defaults. */
const DEFAULTS = {};

describe.skipIf(missing !== null)(`hostile CMCD in Varnish${missing ?? ''}`, () => {
  let origin: Server;
  let varnish: Varnish;

  beforeAll(async () => {
    origin = createServer({ maxHeaderSize: 65_536 }, (_, response) => response.end('media')).listen(
      0,
      '127.0.0.1',
    );
    await once(origin, 'listening');
    const { port: backendPort } = origin.address() as AddressInfo;
    varnish = await startVarnish({ backendPort, vcl: VARNISH_SERVICE, parameters: DEFAULTS });
  }, 60_000);
  afterAll(async () => {
    await varnish.close();
    origin.closeAllConnections();
    origin.close();
  });

  const ask = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
    const sent = request({ host: '127.0.0.1', port: varnish.port, path: `/1.m4s?${query}`, headers });
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    response.resume();
    const receipt = parseReceipt((name) => response.headers[name.toLowerCase()]?.toString());
    return [response.statusCode, receipt.reason];
  };
  /** Returns the text, extended to the length with repetitions of a piece. */
  const filled = (length: number, text: string, piece: string, end = ''): string =>
    (text + piece.repeat(length)).slice(0, length - end.length) + end;

  for (const length of [1900, 2040, 4080])
    it.each([
      ['an rtp without an end', filled(length, 'rtp=0', '9', '+')],
      ['zeros', filled(length, 'rtp=', '0', '+')],
      ['a fraction of zeros', filled(length, 'rtp=5000.', '0', '+')],
      ['a bitrate with a fraction without an end', filled(length, 'rtp=5,br=1.', '9', 'x')],
      ['a speed with a fraction without an end', filled(length, 'rtp=5,pr=1.', '9', 'x')],
      ['spaces', filled(length, 'rtp=5', ' ', 'x')],
      ['the same rtp again and again', filled(length, 'rtp=5', ',rtp=5')],
      ['bitrates', filled(length, 'rtp=5,br=(1', ' 5')],
      ['quotes', filled(length, 'rtp=5,', '"')],
      ['backslashes', filled(length, 'rtp=5,', '\\')],
    ])(`serves the media to a client whose header has %s, of ${length} characters`, async (_, text) => {
      const others = {
        Authorization: 'x'.repeat(8000),
        'X-Other': 'x'.repeat(8000),
        'X-More': 'x'.repeat(7000),
      };
      expect((await ask('', { 'CMCD-Request': text }))[0]).toBe(200);
      expect((await ask('CMCD=', { 'CMCD-Request': text, ...others }))[0]).toBe(200);
      expect((await ask(`CMCD=${text.replaceAll(/[ "\\]/g, encodeURIComponent)}`.slice(0, 8000)))[0]).toBe(
        200,
      );
    });

  it('serves the media to a client with a long URL, with and without CMCD', async () => {
    const cmcd = `CMCD=${filled(1500, 'rtp=5000', ',rtp=5000')}`;
    for (const length of [4000, 7900]) {
      expect((await ask(filled(length, `${cmcd}&a=`, 'x')))[0]).toBe(200);
      expect((await ask(filled(length, `${cmcd}&`, 'CMCD=rtp&')))[0]).toBe(200);
      expect((await ask(filled(length, `CMCD=`, '%2522%2c')))[0]).toBe(200);
    }
  });

  it('paces by CMCD of 1,900 characters, with other headers of any length', async () => {
    const text = filled(1900, 'io.github.dashjs-sammy,rtp=5000,nor="', 'segment/');
    expect(await ask('', { 'CMCD-Request': text, Authorization: 'x'.repeat(8000) })).toEqual([
      200,
      'requested',
    ]);
  });
});
