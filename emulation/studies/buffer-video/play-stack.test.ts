import { expect, it } from 'vitest';
import { planSessions, getSite, WARM_UP_S, type PlannedSession, type SiteHour } from './demand.ts';
import { playStack, type StackHour } from './play-stack.ts';

const HOUR: SiteHour = { site: 'site-1', hour: 1, seconds: 4, seed: 1, switches: {} };

it('assigns half of the sessions to each stack, and each session a queue of its servers', () => {
  const sessions = planSessions({ ...HOUR, seconds: 600 });
  const share = sessions.filter(({ stack }) => stack === 'A').length / sessions.length;
  expect(sessions.length).toBeGreaterThan(150);
  expect(Math.abs(share - 0.5)).toBeLessThan(0.1);
  expect(new Set(sessions.map(({ server, queue }) => `${server} ${queue}`))).toEqual(
    new Set(['offload 0', 'catalog 1']),
  );
  expect(getSite('site-2', { queues: 3 })).toMatchObject({ queues: 3, catalogQueues: 1 });
});

it("plays sessions through a stack's buffers, and smaller buffers delay less", () => {
  // Earlier sessions are left out, to keep the test short.
  const sessions = planSessions(HOUR).filter(({ stack, at_s }) => stack === 'A' && at_s > WARM_UP_S - 3);
  const play = (buffer_mb: number) =>
    playStack({
      ...{ queues: 2, buffer_mb, congestion_control: 'reno', arm: 'dashjs', player: 'model' },
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
  // A buffer of 25 MB holds 2 ms, which becomes 4 ms if two queues take turns.
  expect(small.queues[0]?.wait_p98_ms).toBeLessThan(4.5);
  expect(large.queues[0]?.wait_p98_ms).toBeGreaterThan(10);
});

it('requests the same segments at nearly the same times with dash.js as with its model, on a steady network', () => {
  const session: PlannedSession = {
    ...{ at_s: WARM_UP_S, watch_s: 30, rank: 0.5, stack: 'A', server: 'offload', queue: 0 },
    ...{ rtt_ms: 20, access_kbps: 8000, receive_window_bytes: 262_144 },
  };
  const play = (player: StackHour['player']) =>
    playStack({
      ...{ queues: 2, buffer_mb: 500, congestion_control: 'reno', arm: 'dashjs', player },
      ...{ sessions: [session], seconds: 40, seed: 1 },
    }).sessions[0];
  const [model, page] = [play('model'), play('page')];
  expect(page?.fetched_s).toBe(model?.fetched_s);
  expect(page?.low_s).toBe(model?.low_s);
  expect(page?.rebuffer_count).toBe(0);
  for (const key of [
    'play_delay_ms',
    'played_s',
    'mean_bitrate_kbps',
    'min_rtt_ms',
    'sent_packets',
  ] as const) {
    const ratio = (page?.[key] ?? NaN) / (model?.[key] ?? NaN);
    expect(Math.abs(ratio - 1), key).toBeLessThan(0.03);
  }
});

it('lets impatient viewers of dash.js itself leave', () => {
  const session: PlannedSession = {
    ...{ at_s: WARM_UP_S, watch_s: 30, rank: 0.01, stack: 'A', server: 'offload', queue: 0 },
    // The access line is so slow that playback cannot begin within 2 s.
    ...{ rtt_ms: 20, access_kbps: 300, receive_window_bytes: 65_536 },
  };
  const [left] = playStack({
    ...{ queues: 2, buffer_mb: 500, congestion_control: 'reno', arm: 'dashjs', player: 'page' },
    ...{ sessions: [session], seconds: 10, seed: 1 },
  }).sessions;
  expect(left).toMatchObject({ play_delay_ms: null, played_s: 0 });
  // Nothing is sent to a viewer who has left, here after 2.2 s. At 300 kbit/s, 57 packets arrive until then, and at most
  // a receive window of 45 packets is in flight.
  expect(left?.sent_packets).toBeLessThan(120);
});

it('fails if a page fails, even one of the warm-up', () => {
  const session: PlannedSession = {
    ...{ at_s: WARM_UP_S - 2, watch_s: 1, rank: 0.5, stack: 'A', server: 'offload', queue: 0 },
    ...{ rtt_ms: 20, access_kbps: 8000, receive_window_bytes: 65_536 },
  };
  const play = () =>
    playStack({
      ...{ queues: 2, buffer_mb: 500, congestion_control: 'reno', arm: 'nobody', player: 'page' },
      ...{ sessions: [session], seconds: 10, seed: 1 },
    });
  expect(play).toThrow("no arm 'nobody'");
});
