import { describe, expect, it } from 'vitest';
import type { CompletedDecision } from '../../src/index.ts';
import { failOnce, LISTENING, NEVER_ANSWERED, STEADY_WORLD, whenPaced } from './faults.ts';
import { playOddWorld, type OddWorld } from './odd-world.ts';

const play = (world: Partial<OddWorld>) => {
  const session = playOddWorld({ ...STEADY_WORLD, seconds: 12, after: LISTENING, ...world }, true);
  const { decisions } = session.page.window as unknown as { decisions: CompletedDecision[] };
  return { ...session, video: decisions.filter(({ media_type }) => media_type === 'video') };
};

// A short form of faults.long.test.ts, which also plays stock dash.js. There, stock stalls in none of these cases.
describe.each(['dashjs', 'dashjs-v4'])('%s', (dashjs) => {
  it('continues if requests for a pace are never answered', () => {
    const { stalls, video } = play({ dashjs, fault: whenPaced(NEVER_ANSWERED) });
    expect(stalls).toBe(0);
    expect(video.at(-1)?.pace_reason).toBe('rtp-refused');
  });

  it('does not mistake a retry for a waiting interceptor', () => {
    const fault = failOnce((segment) => segment === 4);
    const { video } = play({ dashjs, fault });
    // The highest pace is 3.2 times the top rung of 3,300 kbit/s, in steps of 100.
    for (const { requested_kbps } of video) expect(requested_kbps ?? 0).toBeLessThanOrEqual(10_600);
    expect(video.length).toBeGreaterThan(5);
  });

  it('distinguishes downloads of byte ranges of one URL', () => {
    const { video } = play({ dashjs, isOneFile: true });
    for (const { achieved_kbps } of video) expect(achieved_kbps ?? 0).toBeLessThan(8000);
    expect(video.at(-1)?.estimate_kbps).toBeGreaterThan(8000 / 3);
  });
});
