import { describe, expect, it, vi } from 'vitest';
import { createHandler } from './handler.ts';
import { INTERNAL_HEADERS, takeVerdict } from './internal-headers.ts';
import type { Origin } from './origin.ts';
import { paceLimits } from './policy.ts';
import { FLOOR_KEY, PLUGIN_KEY } from '../src/wire/rtp.ts';

const url = 'http://edge/v/1.m4s';
const asked = `${url}?CMCD=rtp%3D5000`;

function edge(answer: () => Response = () => new Response('media')) {
  const origin = vi.fn<Origin>(() => Promise.resolve(answer()));
  const handler = createHandler({ origin, limits: paceLimits({ ceiling_kbps: 9000 }) });
  return { handler, seen: () => origin.mock.calls[0]?.[0] };
}

const UNPACED = {
  pace: null,
  asked: null,
  reason: 'no-rtp',
  connectionPace: null,
  connectionReason: 'no-rtp',
  congestionControl: null,
  floor: null,
};

describe('the verdict', () => {
  it('is in internal headers', async () => {
    const { headers } = await edge().handler(new Request(asked));
    expect(headers.get(INTERNAL_HEADERS.pace)).toBe('5000');
    expect(headers.get(INTERNAL_HEADERS.reason)).toBe('requested');
    expect(takeVerdict(headers)).toEqual({
      pace: 5000,
      asked: 5000,
      reason: 'requested',
      connectionPace: null,
      connectionReason: 'shared-connection',
      congestionControl: null,
      floor: null,
    });
    expect([...headers.keys()].filter((name) => name.startsWith('x-sammy'))).toEqual([]);
  });

  it('is unpaced without an rtp', async () => {
    const { headers } = await edge().handler(new Request(url));
    expect(takeVerdict(headers)).toEqual(UNPACED);
  });

  it('never paces an error, but paces a partial response', async () => {
    const verdict = async (status: number) =>
      takeVerdict((await edge(() => new Response('x', { status })).handler(new Request(asked))).headers);
    expect(await verdict(404)).toMatchObject({ pace: null, asked: 5000, reason: 'error-response' });
    expect(await verdict(503)).toMatchObject({ pace: null, reason: 'error-response' });
    expect(await verdict(206)).toMatchObject({ pace: 5000 });
  });

  it('cannot be set by a client or an origin', async () => {
    const forged = {
      [INTERNAL_HEADERS.pace]: '1',
      [INTERNAL_HEADERS.reason]: 'floor',
      [INTERNAL_HEADERS.asked]: '1',
      [INTERNAL_HEADERS.connectionPace]: '1',
      [INTERNAL_HEADERS.connectionReason]: 'floor',
      [INTERNAL_HEADERS.congestionControl]: 'reno',
    };
    const { handler, seen } = edge(() => new Response('media', { headers: forged }));
    const { headers } = await handler(new Request(url, { headers: forged }));
    expect(takeVerdict(headers)).toEqual(UNPACED);
    for (const name of Object.keys(forged)) expect(seen()?.headers.has(name)).toBe(false);
  });
});

describe('the congestion control', () => {
  const named = async (query: string, status = 200) => {
    const handler = createHandler({
      origin: () => Promise.resolve(new Response('media', { status })),
      limits: paceLimits(),
      congestionControl: { paced: 'bbr', unpaced: 'cubic' },
    });
    const { headers } = await handler(new Request(`${url}${query}`));
    expect(headers.get(INTERNAL_HEADERS.congestionControl)).not.toBeNull();
    return takeVerdict(headers)?.congestionControl;
  };

  it('is that of paced or of unpaced responses, which include errors', async () => {
    expect(await named('?CMCD=rtp%3D5000')).toBe('bbr');
    expect(await named('')).toBe('cubic');
    expect(await named('?CMCD=rtp%3D5000', 404)).toBe('cubic');
  });

  it('is the yielding one if the player sends its floor and the edge supports it', async () => {
    const cmcd = encodeURIComponent(`rtp=5000,${PLUGIN_KEY},${FLOOR_KEY}=3000`);
    const readVerdict = async (yieldControl?: string) => {
      const handler = createHandler({
        ...{ origin: () => Promise.resolve(new Response('media')), limits: paceLimits() },
        ...(yieldControl !== undefined && { yieldControl }),
      });
      return takeVerdict((await handler(new Request(`${url}?CMCD=${cmcd}`))).headers);
    };
    expect(await readVerdict('yield1')).toMatchObject({
      pace: 5000,
      floor: 3000,
      congestionControl: 'yield1',
    });
    expect(await readVerdict()).toMatchObject({ pace: 5000, floor: null, congestionControl: null });
  });
});

describe('the origin', () => {
  it('receives the query without CMCD, otherwise unchanged', async () => {
    const { handler, seen } = edge();
    const headers = { 'CMCD-Status': 'rtp=5000', 'CMCD-Session': 'sid="x"', Range: 'bytes=0-9' };
    await handler(new Request(`${url}?sig=%7e+&CMCD=rtp%3D5000&b`, { headers }));
    expect(seen()?.url).toBe(`${url}?sig=%7e+&b`);
    expect(Object.fromEntries(seen()?.headers ?? [])).toEqual({ range: 'bytes=0-9' });
  });

  it('may fail', async () => {
    const onProblem = vi.fn();
    const handler = createHandler({
      origin: () => Promise.reject(new Error('no disk')),
      limits: paceLimits(),
      onProblem,
    });
    const answer = await handler(new Request(asked));
    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe('the edge failed\n');
    expect(onProblem).toHaveBeenCalledWith('GET /v/1.m4s: no disk');
  });
});

describe('methods and CORS', () => {
  it('answers a preflight for exactly the headers that players send', async () => {
    const { handler, seen } = edge();
    const { status, headers } = await handler(new Request(url, { method: 'OPTIONS' }));
    expect(status).toBe(204);
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD');
    expect(headers.get('Access-Control-Allow-Headers')).toBe(
      'CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Range',
    );
    expect(seen()).toBeUndefined();
  });

  it('lets any page read the receipt, even of an error', async () => {
    for (const answer of [() => new Response('x'), () => new Response('x', { status: 404 })]) {
      const { headers } = await edge(answer).handler(new Request(url));
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('Access-Control-Expose-Headers')).toBe(
        'CMSD-Dynamic, Server-Timing, Content-Length, Content-Range, Date',
      );
      expect(headers.get('Timing-Allow-Origin')).toBe('*');
    }
  });

  describe('for players with credentials', () => {
    const page = 'https://page.example';
    const handlerFor = (answer = new Response('media')) =>
      createHandler({
        origin: () => Promise.resolve(answer),
        limits: paceLimits(),
        credentialsOrigins: [page, 'http://localhost:3000'],
      });
    const asking = (from: string | null, method = 'GET', answer?: Response) =>
      handlerFor(answer)(new Request(url, { method, headers: from === null ? {} : { Origin: from } }));
    const granted = ({ headers }: Response) => ({
      origin: headers.get('Access-Control-Allow-Origin'),
      credentials: headers.get('Access-Control-Allow-Credentials'),
      vary: headers.get('Vary'),
    });

    // Fetch §3.3.3 requires the exact origin and `true` with credentials. By §3.3.6, a response that depends on Origin
    // has Vary.
    it.each(['GET', 'HEAD', 'OPTIONS', 'POST'])(
      'answers %s from an allowed page with its origin',
      async (method) => {
        expect(granted(await asking(page, method))).toEqual({
          origin: page,
          credentials: 'true',
          vary: 'Origin',
        });
      },
    );

    it('lists headers and methods by name, because * would be a literal name', async () => {
      for (const { headers } of [await asking(page), await asking(page, 'OPTIONS')]) {
        for (const list of ['Methods', 'Headers'].map((what) => headers.get(`Access-Control-Allow-${what}`)))
          expect(list ?? '').not.toContain('*');
        expect(headers.get('Access-Control-Expose-Headers') ?? '').not.toContain('*');
      }
    });

    it('lets an allowed page read a 404', async () => {
      const missing = await asking(page, 'GET', new Response('x', { status: 404 }));
      expect(missing.status).toBe(404);
      expect(granted(missing).credentials).toBe('true');
    });

    it.each([
      'https://other.example',
      'http://page.example',
      'https://page.example:8443',
      'https://page.example.evil.example',
      'https://evil.example, https://page.example',
      'null',
      '*',
      null,
    ])('accepts no credentials from %s, which may play without them', async (from) => {
      for (const method of ['GET', 'OPTIONS']) {
        expect(granted(await asking(from, method))).toEqual({
          origin: '*',
          credentials: null,
          vary: 'Origin',
        });
      }
    });

    it("keeps the response's other Vary fields", async () => {
      const answer = new Response('media', { headers: { Vary: 'Accept' } });
      expect(granted(await asking(page, 'GET', answer)).vary).toBe('Accept, Origin');
    });

    it('allows no credentials, and adds no Vary, without listed pages', async () => {
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await edge().handler(new Request(url, { method, headers: { Origin: page } }));
        expect(granted(answer)).toEqual({ origin: '*', credentials: null, vary: null });
      }
    });
  });

  it('refuses other methods', async () => {
    const { handler, seen } = edge();
    const answer = await handler(new Request(asked, { method: 'POST', body: 'x' }));
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect(seen()).toBeUndefined();
  });

  it('sends no body for HEAD', async () => {
    const { handler } = edge(() => new Response('media', { headers: { 'Content-Length': '5' } }));
    const answer = await handler(new Request(url, { method: 'HEAD' }));
    expect(answer.body).toBeNull();
    expect(answer.headers.get('Content-Length')).toBe('5');
  });
});
