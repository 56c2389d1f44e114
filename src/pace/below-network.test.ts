import { describe, expect, it } from 'vitest';
import { ABR_OPTIONS, createAbrState } from '../testing/abr-state.ts';
import { createDownload } from '../testing/download.ts';
import { hyb } from '../abr/hyb.ts';
import { topRung } from '../film/ladder.ts';
import { ladder } from '../testing/session.ts';
import { kbps, seconds } from '../units.ts';
import { belowNetwork } from './below-network.ts';
import type { PaceInput, PacePolicy } from './pace.ts';

const ALGORITHM_1: PacePolicy = {
  name: 'algorithm-1',
  choosePace: ({ phase }) =>
    phase === 'playing' ? { pace: kbps(10_000), reason: 'algorithm-1' } : { pace: null, reason: phase },
};
const policy = belowNetwork(ALGORITHM_1);
const [lowest] = ladder;

interface Given extends Partial<Pick<PaceInput, 'phase' | 'rung'>> {
  buffer?: number;
  /** Throughputs, kbit/s, that only the network limited. */
  carried?: readonly number[];
  throughput?: number;
  playbackRate?: number;
  /** For each latest download, whether the pace limited it. */
  paced?: readonly boolean[];
  required?: number;
}

function choosePace({ buffer = 20, carried = [2000, 2000], throughput = 2000, ...given }: Given = {}) {
  const before = createAbrState({ buffer: seconds(buffer) });
  const downloads = (given.paced ?? [true, true, false]).map((pace_limited) =>
    createDownload(before, lowest, kbps(2000), { pace_limited }),
  );
  const { playbackRate = 1, required = 0, phase = 'playing', rung = lowest } = given;
  const state = createAbrState({
    buffer: seconds(buffer),
    throughput: kbps(throughput),
    playbackRate,
    downloads,
  });
  const abr = { ...hyb().session(ABR_OPTIONS), requiredThroughput: () => kbps(required) };
  return policy.choosePace({
    ...{ phase, state, rung, abr, duration: seconds(2), maxBuffer: seconds(30) },
    carried: carried.map(kbps),
  });
}

describe('a pace below the network', () => {
  it('is 0.97 of the latest network-limited throughput', () => {
    expect(choosePace()).toEqual({ pace: kbps(1940), reason: 'below-network' });
  });

  it.each<[string, Given]>([
    ['less than 8 s are buffered', { buffer: 7.9 }],
    ['nothing is known of the network', { carried: [] }],
    ['only one download is known', { carried: [2000] }],
    ['the latest two downloads differ by a fifth', { carried: [2000, 2400] }],
    ['they differ by a fifth downwards', { carried: [2400, 2000] }],
    ['the network was a third as fast within the last minute', { carried: [600, 2000, 2000] }],
    ['none of the last three downloads has shown the network: a probe', { paced: [true, true, true] }],
    ['the network is faster than the pace', { carried: [11_000, 11_000], throughput: 11_000 }],
    ['the algorithm needs the whole network to keep its rung', { required: 1940 }],
    ['the segment alone takes the whole network', { rung: topRung(ladder) }],
  ])("is the other policy's if %s", (_, given) => {
    expect(choosePace(given)).toEqual({ pace: kbps(10_000), reason: 'algorithm-1' });
  });

  it.each(['initial', 'recovery'] as const)('is none in the %s phase', (phase) => {
    expect(choosePace({ phase })).toEqual({ pace: null, reason: phase });
  });

  it('is at least the throughput that the algorithm needs to keep its rung: 1930 / 0.97', () => {
    expect(choosePace({ required: 1930 }).pace).toBeCloseTo(1989.69, 2);
  });

  it('follows an estimate that is above the latest download', () => {
    expect(choosePace({ throughput: 3000 }).pace).toBeCloseTo(2910, 9);
  });
});

describe('a pace below the network, at its limits', () => {
  it('depends on the latest two throughputs only', () => {
    expect(choosePace({ carried: [5000, 3000, 2000, 2000] }).pace).toBe(1940);
  });

  it('applies from 8 s on, and if the lowest throughput of the last minute is at least a third', () => {
    expect(choosePace({ buffer: 8 }).pace).toBe(1940);
    expect(choosePace({ carried: [2000 / 3, 2000, 2000] }).pace).toBe(1940);
  });

  it('probes after three paced downloads', () => {
    expect(choosePace({ paced: [false, true, true, true] }).reason).toBe('algorithm-1');
    expect(choosePace({ paced: [true, false, true, true] }).reason).toBe('below-network');
  });

  it('is higher for faster playback, but not lower for slower playback', () => {
    // At this speed, the lowest rung needs the network's entire 2,000 kbit/s.
    const { bitrate_kbps } = lowest;
    const playbackRate = 2000 / bitrate_kbps;
    expect(choosePace({ playbackRate }).reason).toBe('algorithm-1');
    expect(choosePace({ playbackRate: playbackRate / 2 }).reason).toBe('below-network');
    const rung = topRung(ladder);
    const just = { rung, carried: Array(2).fill(rung.bitrate_kbps * 0.98), throughput: 0 };
    expect(choosePace({ ...just, playbackRate: 0.5 }).reason).toBe('algorithm-1');
  });
});
