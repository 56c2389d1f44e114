import { describe, expect, it } from 'vitest';
import type { Outcome } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import { ladder, Memory, createSession } from '../testing/session.ts';
import { kbps, seconds } from '../units.ts';
import { Consent } from './consent.ts';

/** Makes consecutive video requests. Each has `rtp` if allowed, and ends with the outcome that `answer` returns. */
function asking(consent: Consent, count: number, answer: (asked: boolean) => Outcome, status = 403) {
  return Array.from({ length: count }, () => {
    const objection = consent.reasonAgainstRtp('video', true);
    const outcome = answer(!objection);
    const requested_kbps = objection ? null : kbps(5000);
    return {
      objection,
      found: consent.learnFrom({ media_type: 'video', requested_kbps }, { outcome, status }),
    };
  });
}
const objections = (asked: readonly { objection: string | undefined }[]) =>
  asked.map(({ objection }) => objection);
/** A video request with `rtp`. */
const ASKED = { media_type: 'video', requested_kbps: 5000 } as const;
const refusing = (asked: boolean): Outcome => (asked ? 'failed' : 'completed');

describe('whether an origin answers requests that ask for a pace', () => {
  /** The consent of an origin that has answered a request with `rtp`. */
  const given = () => {
    const consent = new Consent('untried');
    expect(objections(asking(consent, 2, () => 'completed'))).toEqual([undefined, undefined]);
    return consent;
  };

  it('is given by the first answered request, and withdrawn by an error that does not occur without rtp', () => {
    expect(objections(asking(given(), 3, refusing))).toEqual([undefined, 'rtp-untried', 'rtp-refused']);
  });

  it('lets another media type be the test after the first request was canceled without an answer', () => {
    const consent = new Consent('untried');
    expect(consent.reasonAgainstRtp('audio', true)).toBeUndefined();
    expect(consent.reasonAgainstRtp('video', true)).toBe('rtp-untried');
    consent.learnFrom({ media_type: 'audio', requested_kbps: kbps(5000) }, { outcome: 'abandoned' });
    expect(consent.reasonAgainstRtp('video', true)).toBeUndefined();
  });

  it('lets another media type be the test after an origin was down, because audio waits for video', () => {
    const consent = given();
    const failed = { outcome: 'failed', status: 0 } as const;
    consent.learnFrom({ media_type: 'audio', requested_kbps: kbps(5000) }, failed);
    expect(consent.reasonAgainstRtp('video', true)).toBe('rtp-untried');
    const unpaced = { media_type: 'audio', requested_kbps: null } as const;
    consent.learnFrom(unpaced, failed);
    consent.learnFrom(unpaced, { outcome: 'completed' });
    expect(consent.reasonAgainstRtp('video', true)).toBeUndefined();
  });

  it('is withdrawn by three consecutive failures without a response', () => {
    const consent = given();
    for (let i = 0; i < 2; i++)
      expect(objections(asking(consent, 2, refusing, 0))).toEqual([undefined, 'rtp-untried']);
    expect(objections(asking(consent, 1, () => 'completed'))).toEqual([undefined]);
    for (let i = 0; i < 3; i++)
      expect(objections(asking(consent, 2, refusing, 0))).toEqual([undefined, 'rtp-untried']);
    expect(consent.reasonAgainstRtp('video', true)).toBe('rtp-refused');
  });

  it('is not withdrawn after a temporary failure, such as a missing segment', () => {
    const consent = given();
    for (const status of [404, 503, 404]) {
      // The first failure is excused, so the request is repeated with rtp.
      consent.learnFrom(ASKED, { outcome: 'failed', status });
      expect(objections(asking(consent, 2, refusing, status))).toEqual([undefined, 'rtp-untried']);
      expect(objections(asking(consent, 1, () => 'completed'))).toEqual([undefined]);
    }
  });

  it('is not refused by one timeout, however fast the request without rtp is answered', () => {
    expect(objections(asking(new Consent('untried'), 3, refusing, 408))).toEqual([
      undefined,
      'rtp-untried',
      undefined,
    ]);
  });

  it('is not doubted after downloads that the player canceled, as it does for each seek', () => {
    for (const consent of [new Consent('untried'), given()])
      for (let i = 0; i < 5; i++) {
        consent.reasonAgainstRtp('video', true);
        consent.learnFrom(ASKED, { outcome: 'abandoned' });
        expect(consent.shouldRetryWithoutRtp).toBe(false);
        expect(consent.reasonAgainstRtp('audio', true)).toBeUndefined();
        consent.learnFrom({ ...ASKED, media_type: 'audio' }, { outcome: 'abandoned' });
      }
  });

  it('is still tested by one request if another without rtp is canceled', () => {
    const consent = new Consent('untried');
    consent.reasonAgainstRtp('video', true);
    consent.learnFrom({ media_type: 'audio', requested_kbps: null }, { outcome: 'abandoned' });
    expect(consent.reasonAgainstRtp('audio', true)).toBe('rtp-untried');
  });

  it('is refused by an empty body or an HTML page with a successful status', () => {
    expect(objections(asking(new Consent('untried'), 3, refusing, 200))).toEqual([
      undefined,
      'rtp-untried',
      'rtp-refused',
    ]);
  });

  it('waits for the first bytes for half of the buffer, from 0.5 to 4 s, and shorter the second time', () => {
    const consent = new Consent('untried');
    const waits = (...buffers: number[]) =>
      buffers.map((buffer) => consent.firstByteTimeout(seconds(buffer), false));
    expect(waits(0.4, 5, 20)).toEqual([500, 2500, 4000]);
    asking(consent, 2, refusing, 0);
    expect(waits(5)).toEqual([1250]);
    asking(consent, 1, () => 'completed');
    // An origin without evidence against it, whose response has begun.
    expect(consent.firstByteTimeout(seconds(2), true)).toBe(4000);
  });

  it('is refused after one failure if the request succeeds without rtp', () => {
    const asked = asking(new Consent('untried'), 4, refusing);
    expect(objections(asked)).toEqual([undefined, 'rtp-untried', 'rtp-refused', 'rtp-refused']);
    expect(asked.map(({ found }) => found)).toEqual([false, true, false, false]);
  });

  it('is given by an error with a receipt, which comes from an edge of this project', () => {
    const consent = new Consent('untried');
    consent.reasonAgainstRtp('video', true);
    const receipt = { reason: 'error-response' };
    expect(consent.learnFrom(ASKED, { outcome: 'failed', status: 503, receipt })).toBe(false);
    expect(consent.shouldRetryWithoutRtp).toBe(false);
    expect(consent.reasonAgainstRtp('audio', false)).toBeUndefined();
  });

  it.each([404, 429, 500, 503])('is not refused by a single %d, which may be temporary', (status) => {
    const consent = new Consent('untried');
    consent.reasonAgainstRtp('video', true);
    consent.learnFrom(ASKED, { outcome: 'failed', status });
    expect(consent.shouldRetryWithoutRtp).toBe(false);
    // The player repeats the request, with rtp again.
    expect(consent.reasonAgainstRtp('video', true)).toBeUndefined();
    consent.learnFrom(ASKED, { outcome: 'failed', status });
    expect(consent.shouldRetryWithoutRtp).toBe(true);
    const later = objections(asking(consent, 4, refusing, status));
    expect(later).toEqual(['rtp-untried', undefined, 'rtp-untried', 'rtp-refused']);
  });

  it.each([0, 400, 403])('is doubted by a single %d', (status) => {
    const consent = new Consent('untried');
    consent.reasonAgainstRtp('video', true);
    consent.learnFrom(ASKED, { outcome: 'failed', status });
    expect(consent.shouldRetryWithoutRtp).toBe(true);
  });

  it('is refused by two requests without a response, but not by one', () => {
    const once = new Consent('untried');
    expect(objections(asking(once, 2, refusing, 0))).toEqual([undefined, 'rtp-untried']);
    expect(objections(asking(once, 3, () => 'completed'))).toEqual([undefined, undefined, undefined]);
    const twice = new Consent('untried');
    const asked = asking(twice, 5, refusing, 0);
    expect(objections(asked).slice(2)).toEqual([undefined, 'rtp-untried', 'rtp-refused']);
    expect(asked.map(({ found }) => found)).toEqual([false, false, false, true, false]);
    // An error response is proof.
    const then = new Consent('untried');
    asking(then, 2, refusing, 0);
    expect(objections(asking(then, 3, refusing, 403))).toEqual([undefined, 'rtp-untried', 'rtp-refused']);
  });

  it('is untried again after failures with and without rtp', () => {
    const consent = new Consent('untried');
    expect(objections(asking(consent, 4, () => 'failed'))).toEqual([
      undefined,
      'rtp-untried',
      'rtp-untried',
      'rtp-untried',
    ]);
    expect(objections(asking(consent, 2, () => 'completed'))).toEqual(['rtp-untried', undefined]);
  });

  it('ignores a request that the player canceled before its first byte', () => {
    expect(objections(asking(new Consent('untried'), 3, () => 'abandoned'))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is tested by one request for a media segment at a time', () => {
    const consent = new Consent('untried');
    expect(consent.reasonAgainstRtp('video', false)).toBe('rtp-untried');
    expect(consent.reasonAgainstRtp('audio', true)).toBeUndefined();
    expect(consent.reasonAgainstRtp('video', true)).toBe('rtp-untried');
    consent.learnFrom({ media_type: 'audio', requested_kbps: 300 }, { outcome: 'completed' });
    expect(consent.reasonAgainstRtp('video', false)).toBeUndefined();
  });

  it('ignores requests of another media type without rtp', () => {
    const consent = new Consent('untried');
    asking(consent, 1, refusing);
    consent.learnFrom({ media_type: 'audio', requested_kbps: null }, { outcome: 'completed' });
    expect(consent.reasonAgainstRtp('video', true)).toBe('rtp-untried');
  });
});

describe('a session', () => {
  const storage = new Memory();
  const other = (mediaType: MediaType = 'video') => ({ origin: 'https://other.example', mediaType });
  /** A session that plays, with 10 s of buffer. */
  const playing = (days = 0) => {
    const session = createSession({}, storage);
    session.pass(days * 24 * 3600);
    session.sammy.playing();
    return session;
  };

  it('sends no rtp to an origin that has refused, nor does the next session for an hour', () => {
    const { sammy, decide } = playing();
    const end = (outcome: Outcome) => {
      const decision = decide(10, other());
      return sammy.complete(decision, {
        outcome,
        size_bytes: outcome === 'completed' ? 1e6 : 0,
        download_ms: 500,
        receipt: {},
        origin: other().origin,
        status: outcome === 'failed' ? 403 : 200,
      });
    };
    const failed = end('failed');
    expect(failed.requested_kbps).toBeGreaterThan(0);
    expect(end('completed')).toMatchObject({ requested_kbps: null, pace_reason: 'rtp-untried' });
    expect(decide(10, other())).toMatchObject({ requested_kbps: null, pace_reason: 'rtp-refused' });
    expect(decide(10).requested_kbps).toBeGreaterThan(0);
    expect(playing(0.9 / 24).decide(10, other()).pace_reason).toBe('rtp-refused');
    expect(playing(1.1 / 24).decide(10, other()).requested_kbps).toBeGreaterThan(0);
  });

  it('tests an origin only with a segment that can be repeated in time without rtp', () => {
    const { decide } = playing(2);
    // 1.4 s are less than 0.75 of a segment of 2 s.
    expect(decide(1.4, other()).requested_kbps).toBeNull();
    expect(decide(10, { ...other(), isFinal: true }).pace_reason).toBe('rtp-untried');
    expect(decide(10, other()).requested_kbps).toBeGreaterThan(0);
  });

  it('does not use unpaced audio as the test', () => {
    const { decide } = playing(2);
    const urgent = decide(0.2, other());
    expect(urgent).toMatchObject({ requested_kbps: null, pace_reason: 'urgent' });
    expect(decide(10, other('audio'))).toMatchObject({ requested_kbps: null, pace_reason: 'as-video' });
    expect(decide(10, other()).requested_kbps).toBeGreaterThan(0);
  });

  it('sends rtp to a single unnamed origin without a test', () => {
    const { sammy, stateOf } = playing(2);
    expect(sammy.choosePace(stateOf(10), ladder[0]).pace).toBeGreaterThan(0);
    expect(sammy.choosePace(stateOf(10, other()), ladder[0]).reason).toBe('rtp-untried');
  });
});
