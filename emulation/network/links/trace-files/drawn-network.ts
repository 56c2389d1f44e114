import { between, logBetween, normal } from '../../../ground/statistics/distributions.ts';
import { exp } from '../../../ground/statistics/portable-math.ts';
import { seededRandom, type Random } from '../../../ground/statistics/random.ts';

/** A network as in a line of a trace file (see json-lines.ts). */
export interface DrawnNetwork {
  readonly name: string;
  readonly periods: readonly (readonly [duration_ms: number, kbps: number, latency_ms: number])[];
}

const LENGTH_S = 300;
/**
 * The range of typical rates, kbit/s: from below the lowest rung to ten times the top rung. Each octave is equally
 * likely.
 */
const RATES_KBPS = [250, 30_000] as const;
const LATENCIES_MS = [10, 150] as const;
/** The lowest rate, so that an outage does not last forever. */
const LEAST_KBPS = 10;

/** Returns a function that draws the rate of each next second as a share of the typical rate. */
type RateModel = (random: Random) => () => number;

/** A log-normal rate that reverts to the typical rate within seconds to half a minute. */
const revertingRate: RateModel = (random) => {
  const deviation = between(random, 0.2, 1);
  const kept = exp(-1 / logBetween(random, 2, 30));
  let at = normal(random);
  return () => {
    at = kept * at + Math.sqrt(1 - kept ** 2) * normal(random);
    return exp(deviation * at);
  };
};

/** A Markov-modulated rate: a few states, each with a rate and a random duration. */
const switchingRate: RateModel = (random) => {
  const states = Array.from({ length: 2 + Math.floor(4 * random()) }, () => logBetween(random, 0.2, 4));
  const stays = exp(-1 / logBetween(random, 3, 40));
  const drawn = () => states[Math.floor(random() * states.length)] ?? 1;
  let state = drawn();
  return () => {
    if (random() > stays) state = drawn();
    return state * exp(0.15 * normal(random));
  };
};

/** Adds outages of some seconds to another model, half a minute to three minutes apart. */
const withOutages = (course: RateModel): RateModel => {
  return (random) => {
    const next = course(random);
    const [begins, lasts] = [1 / between(random, 30, 180), 1 - 1 / between(random, 2, 15)];
    let isOut = false;
    return () => {
      isOut = random() < (isOut ? lasts : begins);
      return next() * (isOut ? 0.02 : 1);
    };
  };
};

const RATE_MODELS: Readonly<Record<string, RateModel>> = {
  wandering: revertingRate,
  jumping: switchingRate,
  'wandering-with-outages': withOutages(revertingRate),
  'jumping-with-outages': withOutages(switchingRate),
};

/** Draws networks with each rate model in turn. The same seed gives the same networks on every machine. */
export function drawNetworks(count: number, seed: number): DrawnNetwork[] {
  const random = seededRandom(seed);
  const courses = Object.entries(RATE_MODELS);
  return Array.from({ length: count }, (_, index) => {
    const [kind, course] = courses[index % courses.length] ?? ['wandering', revertingRate];
    const typical_kbps = logBetween(random, ...RATES_KBPS);
    const latency_ms = Math.round(logBetween(random, ...LATENCIES_MS));
    const next = course(random);
    const periods = Array.from({ length: LENGTH_S }, () => {
      const kbps = Math.max(LEAST_KBPS, Math.round(typical_kbps * next()));
      return [1000, kbps, latency_ms] as const;
    });
    return { name: `${kind}-${seed}-${String(index + 1).padStart(3, '0')}`, periods };
  });
}
