import { expect, it } from 'vitest';
import { armNamed } from '../../player/arms/index.ts';
import { sessionsIn, siteOf, WARM_UP_S, type SiteHour } from './demand.ts';
import { playStack } from './play-stack.ts';

const HOUR: SiteHour = { site: 'site-1', hour: 1, seconds: 4, seed: 1, switches: {} };

it('gives half of the sessions to each stack, and each of them a queue of its servers', () => {
  const sessions = sessionsIn({ ...HOUR, seconds: 600 });
  const share = sessions.filter(({ stack }) => stack === 'A').length / sessions.length;
  expect(sessions.length).toBeGreaterThan(150);
  expect(Math.abs(share - 0.5)).toBeLessThan(0.1);
  expect(new Set(sessions.map(({ server, queue }) => `${server} ${queue}`))).toEqual(
    new Set(['offload 0', 'catalog 1']),
  );
  expect(siteOf('site-2', { queues: 3 })).toMatchObject({ queues: 3, catalogQueues: 1 });
});

it('plays sessions through the buffers of a stack: smaller ones delay less', () => {
  // Of those before, none would be counted.
  const sessions = sessionsIn(HOUR).filter(({ stack, at_s }) => stack === 'A' && at_s > WARM_UP_S - 3);
  const play = (buffer_mb: number) =>
    playStack({
      ...{ queues: 2, buffer_mb, congestion_control: 'reno', arm: armNamed('dashjs') },
      ...{ sessions, seconds: 4, seed: 1 },
    });
  const [small, large] = [play(25), play(500)];
  for (const { sessions: played, utilization } of [small, large]) {
    expect(played.length).toBeGreaterThan(0);
    expect(utilization).toBeGreaterThan(0.3);
    expect(utilization).toBeLessThanOrEqual(1.001);
    for (const { min_rtt_ms, rtt_ms } of played)
      if (min_rtt_ms !== null) expect(min_rtt_ms).toBeGreaterThan(rtt_ms);
  }
  // 25 MB are 2 ms, which a turn of two queues makes 4.
  expect(small.queues[0]?.wait_p98_ms).toBeLessThan(4.5);
  expect(large.queues[0]?.wait_p98_ms).toBeGreaterThan(10);
});
