import { isDeepStrictEqual } from 'node:util';
import { kbps } from '../../src/units.ts';
import { RTP_MAX_KBPS } from '../../src/wire/rtp.ts';
import { CMCD_HEADERS, splitCmcdQuery } from '../cmcd.ts';
import { createHandler } from '../handler.ts';
import { INTERNAL_HEADERS, takeVerdict } from '../internal-headers.ts';
import { wellFormed } from './inputs.ts';
import { completeVerdict, decidePace, paceLimits, type PaceVerdict } from '../policy.ts';

const LIMITS = [
  paceLimits(),
  paceLimits({ floor_kbps: 1000, ceiling_kbps: 50_000 }),
  paceLimits({ switchedOff: true }),
];
const REASON =
  /^(requested|foreign-player|floor|ceiling|no-rtp|switched-off|refused:(not-a-number|not-an-integer|not-positive|absurdly-large|too-long|cmcd-too-long|disagreeing))$/;
const BODY = 'media';

/**
 * Puts a CMCD payload into every place that the handler reads, and checks properties that must hold for every payload.
 * Throws an Error that names a violated property. Resolves to the policy's reasons.
 */
export async function tryHandler(cmcd: string): Promise<string[]> {
  const reasons: string[] = [];
  for (const request of requestsWith(cmcd)) {
    for (const limits of LIMITS) {
      let asked: Request | undefined;
      const origin = (toOrigin: Request) => {
        asked = toOrigin;
        return Promise.resolve(new Response(BODY));
      };
      const answer = await createHandler({ origin, limits })(request());
      const verdict = takeVerdict(answer.headers);
      checkVerdict(verdict, limits);
      const decided = completeVerdict(decidePace(request(), limits), { limits });
      if (!isDeepStrictEqual(verdict, decided)) {
        throw new Error("the handler's verdict differs from the policy's decision");
      }
      if (answer.status !== 200 || (await answer.text()) !== BODY)
        throw new Error('the media content is not served');
      for (const [name] of answer.headers) {
        if (!/^(access-control-|timing-allow-origin|content-type)/.test(name)) {
          throw new Error(`the response has a header ${name}`);
        }
      }
      checkOriginRequest(asked, request());
      reasons.push(verdict?.reason ?? '');
    }
  }
  return reasons;
}

function* requestsWith(cmcd: string): Generator<() => Request> {
  const base = 'http://edge/film/1.m4s?a=1';
  for (const query of [`&CMCD=${encodeURIComponent(wellFormed(cmcd))}`, `&CMCD=${cmcd}`]) {
    yield () => new Request(base + query);
  }
  // Keep only characters that a header may have: one line of Latin-1.
  const line = cmcd.replace(/[^\x20-\x7e\xa0-\xff]/g, '').trim();
  yield () => new Request(base, { headers: { 'CMCD-Status': line, [INTERNAL_HEADERS.pace]: '1' } });
}

function checkVerdict(verdict: PaceVerdict | null, limits: (typeof LIMITS)[number]): void {
  if (verdict === null || !REASON.test(verdict.reason)) throw new Error(`the reason is ${verdict?.reason}`);
  const { pace } = verdict;
  if (pace === null) return;
  const [low, high] = [limits.floor ?? kbps(1), limits.ceiling ?? RTP_MAX_KBPS];
  if (limits.switchedOff || !Number.isInteger(pace) || pace < low || pace > high) {
    throw new Error(`the pace is ${pace}`);
  }
}

function checkOriginRequest(asked: Request | undefined, request: Request): void {
  if (!asked) throw new Error('the origin received no request');
  const [before, after] = [new URL(request.url), new URL(asked.url)];
  if (after.origin !== before.origin || after.pathname !== before.pathname) {
    throw new Error(`the origin received a request for ${asked.url}`);
  }
  if (after.search !== splitCmcdQuery(before.search).rest || after.searchParams.has('CMCD')) {
    throw new Error(`the origin received a request with the query ${after.search}`);
  }
  for (const name of [...CMCD_HEADERS, ...Object.values(INTERNAL_HEADERS)]) {
    if (asked.headers.has(name)) throw new Error(`the origin received the header ${name}`);
  }
}
