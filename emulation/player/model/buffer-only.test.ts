import { describe, expect, it } from 'vitest';
import type { SammyOptions } from '../../../src/options.ts';
import { smooth } from '../../../src/pace/smooth.ts';
import { fullOrLowest } from '../../../src/testing/full-or-lowest.ts';
import { BITRATES_KBPS } from '../../../src/testing/session.ts';
import { constantRate } from '../../network/virtual/rounds/rates.ts';
import { simulateSession } from './session.ts';
import { vbrFilm } from './testing/vbr-film.ts';

describe('pace policies with an algorithm that never has enough throughput', () => {
  const buffers = (pace: NonNullable<SammyOptions['pace']>) =>
    simulateSession({
      arm: { sammy: { abr: fullOrLowest, pace } },
      film: vbrFilm(120),
      network: { capacity: constantRate(40), rtt_ms: 50, queue_bytes: 100_000 },
      seconds: 120,
    }).decisions;

  it.each([
    ['Algorithm 1', 'sammy' as const],
    ['smooth', smooth()],
  ])('%s lets the buffer grow until the algorithm picks the top rung', (_, pace) => {
    const segments = buffers(pace);
    expect(segments.at(-1)?.bitrate_kbps).toBe(BITRATES_KBPS.at(-1));
    expect(segments[1]).toMatchObject({ bound_kbps: null });
  });

  it('smooth reports the reason for a high pace', () => {
    expect(buffers(smooth()).some(({ pace_reason }) => pace_reason === 'buffer-is-to-grow')).toBe(true);
  });
});
