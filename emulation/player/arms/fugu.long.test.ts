import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AbrAlgorithm, AbrState } from '../../../src/abr/abr.ts';
import { ttpInputs } from '../../../src/abr/fugu/ttp-inputs.ts';
import { BINS, HORIZON, readTtpModel } from '../../../src/abr/fugu/ttp-model.ts';
import { TtpPredictor } from '../../../src/abr/fugu/ttp-predictor.ts';
import { fugu } from '../../../src/abr/index.ts';
import { resolveQoe } from '../../../src/abr/mpc/mpc-session.ts';
import { planInputs } from '../../../src/abr/qoe.ts';
import { topRung, type Rung } from '../../../src/film/ladder.ts';
import type { Kbps } from '../../../src/units.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import { scheduledRate } from '../../network/virtual/rounds/rates.ts';
import { simulateSession } from '../model/session.ts';
import { scenesFilm } from '../model/testing/scenes-film.ts';

/** The test takes several seconds, and more on a busy machine. */
const TIMEOUT_MS = 120_000;
const SESSIONS = 8;
const GRID_KBPS = 100;
const TOLERANCE_DB = 0.05;
/** The highest buffer bin: 200 bins of 0.5 s are 100 s. */
const MOST_BIN = 200;
/** Copies of the constants of Fugu (src/abr/fugu/): `mu_per_s`, the two of the reserve, `c0` and `KNOWN_SIZE_RATIO`. */
const [MU_PER_S, RESERVE_DB_PER_S, RESERVE_SHARE, MOST_PACES, FAMILIAR] = [100, 6, 0.5, 3.2, 1.5];

const file = readFileSync(new URL('../../../models/fugu-ttp.bin', import.meta.url));
const model = readTtpModel(file);
const predictor = new TtpPredictor(model);

/** A state in which the simulator asked Fugu for a rung, and the rung and pace that Fugu chose. */
interface PacedChoice {
  readonly state: AbrState;
  /** Seconds of content received so far. */
  readonly arrived_s: number;
  readonly chosen?: Rung;
  readonly needed?: { readonly rung: Rung; readonly pace: Kbps };
}

/**
 * Collects Fugu's choices in sessions of five minutes, on networks whose mean rates range from below the lowest rung to
 * above the top rung. Rates vary by up to 70% around the mean.
 */
function askedInSessions(): PacedChoice[] {
  const asked: PacedChoice[] = [];
  const random = seededRandom(5);
  for (let number = 0; number < SESSIONS; number++) {
    const mbps = 0.6 * 1.55 ** number;
    const steps = Array.from({ length: 150 }, () => ({
      seconds: 1 + 3 * random(),
      mbps: mbps * (0.3 + 1.4 * random()),
    }));
    const algorithm = fugu({ model: file });
    simulateSession({
      arm: { sammy: { abr: listened(algorithm, asked), pace: algorithm } },
      film: scenesFilm(),
      seconds: 300,
      network: { capacity: scheduledRate(steps), rtt_ms: 40, queue_bytes: 150_000 },
    });
  }
  return asked.filter(({ state }) => state.previous);
}

const listened = (algorithm: AbrAlgorithm, asked: PacedChoice[]): AbrAlgorithm => ({
  name: algorithm.name,
  session(options) {
    const session = algorithm.session(options);
    let arrived_s = 0;
    return {
      observe(event) {
        session.observe?.(event);
        if (event.type === 'seek') arrived_s = 0;
        if (event.type === 'download' && event.download.outcome === 'completed')
          arrived_s += event.download.segment_duration_s;
      },
      choose(state) {
        const choice = session.choose(state);
        asked.push({ state, arrived_s, chosen: choice.rung });
        return choice;
      },
      requiredThroughput(state, rung) {
        const pace = session.requiredThroughput(state, rung);
        asked.push({ state, arrived_s, needed: { rung, pace } });
        return pace;
      },
    };
  },
});

/**
 * Computes Eq. 2.2 of F. Yan's thesis (Fugu) literally, with buffer levels in bins of 0.5 s, and with all predicted
 * transmission times, even improbable ones. For a pace, the returned function gives, for each rung, the value of the
 * best plan that begins with it.
 */
function literally({ state, arrived_s }: PacedChoice): (pace_kbps: number) => number[] {
  const qoe = resolveQoe({ steady: false });
  const { steps, rungs, size, duration, gain } = planInputs(state, { ...qoe, horizon: HORIZON });
  const inputs = ttpInputs(state.downloads, state.receipt);
  predictor.observe(inputs);
  const familiar_bytes = FAMILIAR * inputs.largest_bytes;
  const predicted = size.map((sizes) => [...sizes].map(() => new Float32Array(BINS)));
  size.forEach((sizes, step) =>
    sizes.forEach((bytes, rung) =>
      predictor.predict(
        step,
        Math.min(bytes, familiar_bytes),
        predicted[step]?.[rung] ?? new Float32Array(BINS),
        0,
      ),
    ),
  );
  const reserve_s = Math.max(
    1e-3,
    Math.min(state.bufferTarget, RESERVE_SHARE * arrived_s) / state.playbackRate,
  );
  const end = (buffer_s: number) =>
    (-RESERVE_DB_PER_S * Math.max(0, reserve_s - buffer_s) ** 2) / (2 * reserve_s);
  const rtt_s = (state.receipt?.rtt_ms ?? 50) / 1000;

  return (pace_kbps) => {
    const mean = remembered(rungs, (step, rung, bin) => {
      const bytes = size[step]?.[rung] ?? NaN;
      const plays_s = (duration[step] ?? NaN) / state.playbackRate;
      const least_s = pace_kbps === Infinity ? 0 : rtt_s + (bytes * 8) / (pace_kbps * 1000);
      const scale = Math.max(1, bytes / familiar_bytes);
      let worth = 0;
      predicted[step]?.[rung]?.forEach((share, time) => {
        const takes_s = Math.max(scale * (model.times_s[time] ?? NaN), least_s);
        const stalls_s = Math.max(0, takes_s - bin / 2);
        const there = Math.min(MOST_BIN, Math.round(2 * (Math.max(0, bin / 2 - takes_s) + plays_s)));
        worth += share * (best(step + 1, rung, there) - MU_PER_S * stalls_s);
      });
      return worth;
    });
    const values = (step: number, before: number, bin: number) =>
      Array.from(gain[step]?.[before] ?? [], (each, rung) => each + mean(step, rung, bin));
    const best = remembered(rungs, (step, before, bin) =>
      step === steps ? end(bin / 2) : Math.max(...values(step, before, bin)),
    );
    return values(0, 0, Math.min(MOST_BIN, Math.round((2 * state.buffer) / state.playbackRate)));
  };
}

type OfState = (step: number, rung: number, bin: number) => number;

/** Caches the values of a function, so that each is computed only once. */
function remembered(rungs: number, workOut: OfState): OfState {
  const known = new Float64Array((HORIZON + 1) * rungs * (MOST_BIN + 1)).fill(NaN);
  return (step, rung, bin) => {
    const at = (step * rungs + rung) * (MOST_BIN + 1) + bin;
    const before = known[at] ?? NaN;
    return Number.isNaN(before) ? (known[at] = workOut(step, rung, bin)) : before;
  };
}

describe('fugu, in more than 1000 states of the simulator', () => {
  const asked = askedInSessions();
  const choices = asked.filter(({ chosen }) => chosen);
  const paces = asked.filter(({ needed }) => needed);

  it(
    'chooses as the recursion does, computed without optimizations',
    () => {
      expect(choices.length).toBeGreaterThan(1000);
      const others = choices.filter((each) => {
        const values = literally(each)(Infinity);
        return each.state.ladder[values.indexOf(Math.max(...values))] !== each.chosen;
      });
      expect(others.map(({ state }) => state.nextSegmentAt)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "requests the lowest sufficient pace, and none if no pace of Sammy's suffices",
    () => {
      expect(paces.length).toBeGreaterThan(1000);
      expect(paces.filter(({ needed }) => needed?.pace !== Infinity).length).toBeGreaterThan(300);
      const others = paces.filter((each) => {
        const { rung, pace = NaN } = each.needed ?? {};
        const { ladder, playbackRate } = each.state;
        const lowest = ladder.findIndex(({ id }) => id === rung?.id);
        const valuesAt = literally(each);
        const wanted = Math.max(...valuesAt(Infinity)) - TOLERANCE_DB;
        const suffices = (kbps: number) => Math.max(...valuesAt(kbps).slice(lowest)) >= wanted;
        const most = MOST_PACES * topRung(ladder).bitrate_kbps * Math.max(1, playbackRate);
        if (pace === Infinity) return suffices(Math.ceil(most / GRID_KBPS) * GRID_KBPS);
        // A plan's value never decreases with a higher pace. If the pace one step lower is not sufficient, no lower
        // pace is.
        return !suffices(pace) || (pace > GRID_KBPS && suffices(pace - GRID_KBPS));
      });
      expect(others.map(({ state }) => state.nextSegmentAt)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
