import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../ground/statistics/random.ts';
import { constantRate, scheduledRate } from '../../network/virtual/rounds/rates.ts';
import { bigBuckBunny } from '../../../media/films/big-buck-bunny.ts';
import type { Film } from '../model/player/film.ts';
import { filmFor } from '../model/player/film-for.ts';
import { simulateSession } from '../model/session.ts';
import type { SimulatedSession } from '../model/simulated-session.ts';
import { scenesFilm } from '../model/testing/scenes-film.ts';
import type { Arm } from './arm.ts';
import { armNamed } from './index.ts';
import { ALGORITHM_PAIRS } from './other-algorithms.ts';

/** The test takes several seconds, and more on a busy machine. */
const TIMEOUT_MS = 120_000;
const film = scenesFilm();

type Capacity = SimulatedSession['network']['capacity'];

const playFilm = (film: Film, arm: Arm, capacity: Capacity, seconds: number) =>
  simulateSession({ arm, film, seconds, network: { capacity, rtt_ms: 40, queue_bytes: 150_000 } });

const play = (arm: Arm, capacity: Capacity, seconds: number) => playFilm(film, arm, capacity, seconds);

/**
 * Algorithms that use every throughput sample. Even a pace above the network's rate changes how the congestion window
 * grows, and thereby the samples by about 2%. This is enough to move every later switch of rungs: with and without the
 * pace, these algorithms choose the same rung in only 91 to 93% of this video's segments. The test below therefore
 * compares them only in sessions in which the pace limited a download.
 */
const BY_SAMPLES: readonly string[] = ['sammy-mpc-hm', 'sammy-robust-mpc-hm'];

describe.each(ALGORITHM_PAIRS)('%s', (paced, unpaced) => {
  const toldOnly = BY_SAMPLES.includes(paced);

  // MPC over scenarios is up to 0.2 dB worse than dash.js, because it plans with half of the lowest throughput sample,
  // and the first samples are taken in TCP's slow start.
  if (paced !== 'sammy-scenario-mpc')
    it('has at most 0.1 dB less than dash.js in the first 20 s, on any network', () => {
      const initial = (arm: string, mbps: number) =>
        play(armNamed(arm), constantRate(mbps), 30).summary.initial_ssim_db ?? NaN;
      const worse = [0.6, 0.8, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
        .map((mbps) => ({ mbps, db: initial(paced, mbps) - initial('dashjs', mbps) }))
        .filter(({ db }) => !(db >= -0.1));
      expect(worse).toEqual([]);
    });

  it(
    'switches at most once in 20 s at 60% of the top bitrate, without stalls, and with no less SSIM than dash.js',
    () => {
      const scarce = () => constantRate((0.6 * 3300) / 1000);
      const { summary } = play(armNamed(paced), scarce(), 300);
      const stock = play(armNamed('dashjs'), scarce(), 300).summary;
      expect(summary.switches).toBeLessThanOrEqual(300 / 20);
      expect(summary.rebuffer_count).toBe(0);
      expect(summary.mean_ssim_db).toBeGreaterThan(stock.mean_ssim_db ?? Infinity);
    },
    TIMEOUT_MS,
  );

  it(
    "switches at most once in 20 s on the same network with the lab's video, whose scenes differ more",
    () => {
      const { summary } = playFilm(filmFor(bigBuckBunny, 300), armNamed(paced), constantRate(0.6 * 3.3), 300);
      expect(summary.switches).toBeLessThanOrEqual(300 / 20);
      expect(summary.rebuffer_count).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    `chooses the same rungs with and without its pace in 95% of segments, on varying networks${toldOnly ? ' while the pace limits downloads' : ''}`,
    () => {
      const random = seededRandom(11);
      let [same, all] = [0, 0];
      for (let session = 0; session < 20; session++) {
        // Mean rates from 1 to 40 Mbit/s. Every 1 to 4 s, the rate changes to a random value within 30% of the mean.
        const mbps = 40 ** random();
        const steps = Array.from({ length: 40 }, () => ({
          seconds: 1 + 3 * random(),
          mbps: mbps * (0.7 + 0.6 * random()),
        }));
        const sessions = [paced, unpaced].map((name) =>
          play(armNamed(name), scheduledRate(steps), 100).decisions.filter(
            ({ media_type }) => media_type === 'video',
          ),
        );
        if (toldOnly && !sessions[0]?.some(({ pace_limited }) => pace_limited)) continue;
        const rungs = sessions.map(
          (decisions) =>
            new Map(decisions.map((decision) => [decision.segment_start_s, decision.bitrate_kbps])),
        );
        for (const [start_s, rung] of rungs[0] ?? []) {
          const other = rungs[1]?.get(start_s);
          if (other === undefined) continue;
          all += 1;
          if (other === rung) same += 1;
        }
      }
      expect(all).toBeGreaterThan(500);
      expect(same / all).toBeGreaterThanOrEqual(0.95);
    },
    TIMEOUT_MS,
  );
});
