import { expect, it } from 'vitest';
import { scheduledRate } from '../../../emulation/network/virtual/rounds/rates.ts';
import { scenesFilm } from '../../../emulation/player/model/testing/scenes-film.ts';
import { seededRandom } from '../../../emulation/ground/statistics/random.ts';
import type { SimulatedNetwork } from '../../../emulation/player/model/simulated-session.ts';
import { play } from '../play.ts';
import { bestKnowing, sessionOutcome } from './outcome.ts';
import { findWatched } from './watched.ts';

const SECONDS = 24;
const FILM = scenesFilm();
/**
 * Random networks with rates from half of the lowest rung's bitrate to the top rung's bitrate, in steps of 1 to 5 s.
 */
const NETWORKS = Array.from({ length: 2 }, (_, index): SimulatedNetwork => {
  const random = seededRandom(index + 1);
  const steps = Array.from({ length: 30 }, () => ({
    seconds: 1 + 4 * random(),
    mbps: 0.15 * 22 ** random(),
  }));
  return { capacity: scheduledRate(steps), rtt_ms: 60, queue_bytes: 150_000 };
});

it('no arm has a better experience than the planner that knows the network', () => {
  for (const network of NETWORKS) {
    const others = ['dashjs', 'dashjs-no-fast-switch', 'lowest', 'sammy-paper', 'sammy-scenario-mpc'].map(
      (arm) => sessionOutcome(play(arm, FILM, network, SECONDS), FILM, SECONDS).experience_db,
    );
    const { experience_db } = bestKnowing(FILM, network, SECONDS);
    expect(experience_db).toBeGreaterThanOrEqual(Math.max(...others) - 1e-9);
  }
}, 120_000);

it('the watched part agrees with the summary, including stalls', () => {
  const sessions = NETWORKS.flatMap((network) =>
    ['dashjs', 'sammy-paper'].map((arm) => play(arm, FILM, network, SECONDS)),
  );
  for (const session of sessions) {
    const { rungs, stalled_s } = findWatched(session, FILM, SECONDS);
    const { summary } = session;
    // The summary does not count stalls of less than 100 ms.
    const stalls_s = (summary.rebuffer_ratio * summary.played_s) / (1 - summary.rebuffer_ratio);
    expect(stalled_s).toBeGreaterThanOrEqual(stalls_s - 0.01);
    expect(stalled_s).toBeLessThanOrEqual(stalls_s + 0.1 * rungs.length);
    // The playhead is reported four times a second.
    expect(Math.abs(rungs.length - summary.played_s / 2)).toBeLessThan(1.5);
  }
});

it('a session that ends in a stall does not count the segment that it waits for', () => {
  for (let seconds = 5; seconds < 9; seconds += 0.37) {
    const capacity = scheduledRate([
      { seconds, mbps: 1 },
      { seconds: 1000, mbps: 0 },
    ]);
    const session = play('lowest', FILM, { capacity, rtt_ms: 60, queue_bytes: 150_000 }, 60);
    const { rungs, stalled_s } = findWatched(session, FILM, 60);
    expect(rungs.every((rung) => rung === 0)).toBe(true);
    expect(stalled_s).toBeGreaterThan(0);
  }
});
