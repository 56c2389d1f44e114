import { describe, expect, it } from 'vitest';
import { ABR_OPTIONS, createAbrState } from '../testing/abr-state.ts';
import { createDownload } from '../testing/download.ts';
import { ladder } from '../testing/session.ts';
import { kbps, seconds } from '../units.ts';
import type { AbrAlgorithm, AbrEvent } from './abr.ts';
import { considerate } from './considerate.ts';

/** Chooses the highest rung of the given ladder. */
const highest: AbrAlgorithm = {
  name: 'highest',
  session: () => ({
    choose: ({ ladder: [lowest, ...others] }) => ({ rung: others.at(-1) ?? lowest, reason: 'highest' }),
    requiredThroughput: (_, { bitrate_kbps }) => bitrate_kbps,
  }),
};
const TOP = ladder.at(-1);

/** The rung chosen at 1000 kbit/s after these downloads: their round-trip times, and whether a pace limited them. */
function rungAfter(rtts: readonly (readonly [rtt_ms: number | undefined, pace_limited: boolean])[]) {
  const before = createAbrState({ buffer: seconds(20), throughput: kbps(1000) });
  const downloads = rtts.map(([rtt_ms, pace_limited]) =>
    createDownload(before, ladder[0], kbps(1000), {
      pace_limited,
      ...(rtt_ms !== undefined && { rtt_ms, min_rtt_ms: 40 }),
    }),
  );
  return considerate({ algorithm: highest })
    .session(ABR_OPTIONS)
    .choose({ ...before, downloads }).rung;
}

describe('considerate', () => {
  it('limits the bitrate while other traffic fills the queue', () => {
    const { bitrate_kbps } = rungAfter([
      [40, true],
      [49, true],
    ]);
    const allowed = ladder.filter((rung) => rung.bitrate_kbps <= 900);
    expect(bitrate_kbps).toBe(allowed.at(-1)?.bitrate_kbps);
  });

  it('uses the delivery rate behind a long queue, in which segments are too short to reach their share', () => {
    const before = createAbrState({ buffer: seconds(20), throughput: kbps(1000) });
    const rungWith = (etp_kbps: number) => {
      const queued = { rtt_ms: 160, min_rtt_ms: 40, etp_kbps, pace_limited: true };
      const downloads = [createDownload(before, ladder[0], kbps(1000), queued)];
      return considerate({ algorithm: highest })
        .session(ABR_OPTIONS)
        .choose({ ...before, downloads }).rung;
    };
    const highestUpTo = (limit: number) => ladder.findLast(({ bitrate_kbps }) => bitrate_kbps <= limit);
    // The limit is 0.8 (DELIVERY_SHARE) × the delivery rate × the queue's share of the round trip, 120 of 160 ms:
    // 0.8 × 4000 × 3/4 = 2400 kbit/s.
    expect(rungWith(4000)).toBe(highestUpTo(2400));
    expect(rungWith(1000)).toBe(highestUpTo(900));
    // A round-trip time of 0 means that there is no sample.
    const unmeasured = createDownload(before, ladder[0], kbps(1000), { rtt_ms: 0, etp_kbps: 4000 });
    const queued = createDownload(before, ladder[0], kbps(1000), { rtt_ms: 160, min_rtt_ms: 40 });
    const { rung } = considerate({ algorithm: highest })
      .session(ABR_OPTIONS)
      .choose({ ...before, downloads: [unmeasured, queued] });
    expect(rung).toBe(highestUpTo(900));
  });

  it.each<[string, Parameters<typeof rungAfter>[0]]>([
    ['nothing was downloaded', []],
    [
      'the queue is short: at most 1.2 times the least round trip',
      [
        [40, true],
        [48, true],
      ],
    ],
    [
      'the server sends no receipts',
      [
        [undefined, true],
        [undefined, true],
      ],
    ],
    [
      'the queue is what an unpaced download of its own left',
      [
        [40, true],
        [41, false],
        [100, true],
      ],
    ],
  ])("uses the algorithm's rung if %s", (_, rtts) => {
    expect(rungAfter(rtts)).toBe(TOP);
  });

  it("passes on events, and has the algorithm's required throughput", () => {
    const events: AbrEvent[] = [];
    const observing: AbrAlgorithm = {
      ...highest,
      session: (options) => ({ ...highest.session(options), observe: (event) => void events.push(event) }),
    };
    const session = considerate({ algorithm: observing }).session(ABR_OPTIONS);
    session.observe?.({ type: 'seek' });
    expect(events).toEqual([{ type: 'seek' }]);
    expect(session.requiredThroughput(createAbrState(), ladder[0])).toBe(ladder[0].bitrate_kbps);
  });
});
