/** A session stores the throughput of its initial phase for the next one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseInitialBitrate } from './initial-bitrate.ts';
import type { MediaType } from '../film/media-type.ts';
import { topRung } from '../film/ladder.ts';
import { createSession, ladder, Memory } from '../testing/session.ts';
import { kbps, seconds } from '../units.ts';

describe('the memory of earlier sessions', () => {
  class CountingMemory extends Memory {
    reads = 0;
    override read() {
      this.reads += 1;
      return super.read();
    }
  }

  it('is read once per media type, however often the player asks for a rung and a pace', () => {
    const storage = new CountingMemory();
    const { sammy, stateOf, decide } = createSession({}, storage);
    for (let request = 0; request < 10; request++) decide(0);
    sammy.chooseRung(stateOf(0, { mediaType: 'audio' }));
    expect(storage.reads).toBeLessThanOrEqual(2);
  });
});

describe('the stored throughput of the initial phase', () => {
  it('chooses the first rung of the next session', () => {
    const storage = new Memory();
    const first = createSession({}, storage);
    // Without stored throughput, the default is 1000 kbit/s, of which HYB uses 0.8 with an empty buffer.
    expect(first.decide(0)).toMatchObject({ bitrate_kbps: 700, estimate_kbps: null });
    first.segment(0, 5000, 1);
    first.sammy.playing();
    const second = createSession({}, storage);
    second.pass(60);
    // 0.8 * 5000 sustains the top rung.
    expect(chooseInitialBitrate(second.sammy)).toBeCloseTo(4000, 6);
    expect(second.decide(0).bitrate_kbps).toBe(3300);
  });

  it('is the bytes of the initial phase divided by their download time', () => {
    const { sammy, segment } = createSession();
    segment(0, 8000, 1);
    segment(2, 2000, 3);
    sammy.playing();
    // 0.8 of 3500 kbit/s: 8000 kbit in 1 s and 6000 kbit in 3 s.
    expect(chooseInitialBitrate(sammy)).toBeCloseTo(2800, 6);
  });

  it('does not change in the playing and recovery phases', () => {
    const event = fc.oneof(
      fc.record({
        kind: fc.constant('segment' as const),
        mediaType: fc.constantFrom<MediaType>('video', 'audio'),
        size_bytes: fc.integer({ min: 0, max: 5_000_000 }),
        download_s: fc.double({ min: 0, max: 20, noNaN: true }),
        buffer: fc.double({ min: 0, max: 30, noNaN: true }),
        outcome: fc.constantFrom('completed' as const, 'abandoned' as const, 'failed' as const),
        receiptPace: fc.constantFrom(undefined, null, kbps(100), kbps(10_000)),
      }),
      fc.record({ kind: fc.constantFrom('playing' as const, 'waiting' as const, 'paused' as const) }),
      fc.record({ kind: fc.constant('seek' as const), ahead: fc.constantFrom(0, 5) }),
    );
    fc.assert(
      fc.property(fc.boolean(), fc.array(event, { maxLength: 40 }), (measured, events) => {
        const { sammy, storage, segment, stateOf, pass } = createSession();
        if (measured) segment(0, 5000, 1);
        // A download that begins in the initial phase and ends after playback has started.
        const late = sammy.decide(stateOf(0), topRung(ladder), seconds(2));
        sammy.playing();
        const remembered = storage.text;
        expect(remembered === null).toBe(!measured);
        sammy.complete(late, { outcome: 'completed', size_bytes: 1e6, download_ms: 10, receipt: {} });
        for (const each of events) {
          if (each.kind === 'segment') {
            const state = stateOf(each.buffer, { mediaType: each.mediaType });
            const rung = sammy.chooseRung(state).rung;
            const decision = sammy.decide(state, rung, seconds(2));
            pass(each.download_s);
            sammy.complete(decision, {
              outcome: each.outcome,
              size_bytes: each.size_bytes,
              download_ms: each.download_s * 1000,
              receipt: each.receiptPace === undefined ? {} : { pace_kbps: each.receiptPace },
            });
            expect(decision.phase).not.toBe('initial');
          } else if (each.kind === 'seek') sammy.seeking(seconds(each.ahead));
          else sammy[each.kind]();
          expect(storage.text).toBe(remembered);
        }
      }),
    );
  });
});
