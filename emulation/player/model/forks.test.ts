import { describe, expect, it } from 'vitest';
import type { PacePolicy } from '../../../src/pace/pace.ts';
import { createLadder } from '../../../src/testing/session.ts';
import { kbps } from '../../../src/units.ts';
import type { Film } from './player/film.ts';
import { scheduledRate } from '../../network/virtual/rounds/rates.ts';
import { simulateSession } from './session.ts';

const SEGMENT_S = 2;
/** Segments of 60 to 240 kB. */
const BYTES = Array.from({ length: 20 }, (_, index) => 60_000 * (1 + ((index * 7) % 4)));

const film: Film = {
  sidecar: {
    version: 1,
    segment_duration_s: BYTES.map(() => SEGMENT_S),
    representations: { '600': { segment_bytes: BYTES } },
  },
  ladders: { video: createLadder([600]) },
};
const withAudio: Film = {
  sidecar: {
    ...film.sidecar,
    representations: {
      ...film.sidecar.representations,
      '64': { segment_bytes: BYTES.map(() => 16_000) },
    },
  },
  ladders: { video: createLadder([600]), audio: createLadder([64]) },
};

/** A rate that varies between 1 and 9 Mbit/s. */
const capacity = scheduledRate(
  Array.from({ length: 9 }, (_, step) => ({ seconds: 0.7, mbps: 1 + ((step * 5) % 9) })),
);

/** A policy that paces segments from `start_s` on at 1 Mbit/s. */
const pacedFrom = (start_s: number): PacePolicy => ({
  name: 'late',
  choosePace: ({ state }) =>
    state.nextSegmentAt >= start_s ? { pace: kbps(1000), reason: 'late' } : { pace: null, reason: 'early' },
});

const play = (start_s: number, forks: boolean, congestionControl = 'reno', played = film) =>
  simulateSession({
    arm: { sammy: { pace: pacedFrom(start_s) } },
    film: played,
    network: { capacity, rtt_ms: 60, queue_bytes: 40_000, congestionControl },
    seconds: 25,
    forks,
  });

describe('a fork of the network', () => {
  it.each(['reno', 'cubic', 'bbr'])('takes as long as the request without its pace: %s', (name) => {
    // The sessions are identical up to the request for a segment that only one of them paces.
    const unpaced = play(Infinity, true, name);
    expect(unpaced.unpaced).toEqual([]);
    let different = 0;
    for (const segment of [1, 3, 6, 8, 11]) {
      const { decisions, unpaced: found } = play(segment * SEGMENT_S, true, name);
      const [first] = found;
      const paced = decisions.find(({ sequence }) => sequence === first?.sequence);
      const same = unpaced.decisions.find(({ sequence }) => sequence === first?.sequence);
      expect(paced?.segment_start_s).toBe(segment * SEGMENT_S);
      expect(paced?.at_ms).toBe(same?.at_ms);
      expect(first?.unpaced_ms).toBeCloseTo(same?.download_ms ?? NaN, 6);
      if ((paced?.download_ms ?? 0) > 1.2 * (first?.unpaced_ms ?? Infinity)) different++;
    }
    expect(different).toBeGreaterThan(2);
  });

  it('does not change the session, and reports each paced video request', () => {
    for (const name of ['reno', 'cubic', 'bbr']) {
      const { unpaced, ...session } = play(4, true, name, withAudio);
      const { unpaced: none, ...without } = play(4, false, name, withAudio);
      expect(session).toEqual(without);
      expect(none).toEqual([]);
      const paced = session.decisions.filter(
        ({ requested_kbps, media_type }) => requested_kbps !== null && media_type === 'video',
      );
      expect(unpaced.map(({ sequence }) => sequence)).toEqual(paced.map(({ sequence }) => sequence));
      expect(unpaced.length).toBeGreaterThan(5);
    }
  });
});
