import { between, logBetween, normal } from '../../../ground/statistics/distributions.ts';
import { seededRandom, type Random } from '../../../ground/statistics/random.ts';
import type { DrawnNetwork } from './drawn-network.ts';

/**
 * Networks by the method of Pensieve's synthetic dataset (Mao et al., SIGCOMM 2017, §5.1 and its public generator): a
 * Markov chain whose states are average rates, and in each second a rate that is normally distributed around the state.
 * Near states follow more often than far states. Pensieve's rates are 0.2 to 4.3 Mbit/s; here the highest rate differs
 * between networks, so that some networks are fast.
 */

const LENGTH_S = 300;
const STATES = 10;
const LOWEST_KBPS = 200;
const HIGHEST_KBPS = [2000, 50_000] as const;
/** The range of the mean time in a state, s. */
const STAY_S = [2, 40] as const;
/** The range of the rate's standard deviation, as a share of the state's rate. */
const DEVIATION = [0.05, 0.5] as const;
/** The probability of a state halves with each step of distance. */
const STEP_SHARE = 0.5;
/** Half of Pensieve's round-trip time of 80 ms. */
const LATENCY_MS = 40;
/** The lowest rate, because a normal distribution has negative values. */
const LEAST_KBPS = 10;

/** Draws networks. The same seed gives the same networks on every machine. */
export function drawMarkovNetworks(count: number, seed: number): DrawnNetwork[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const highest_kbps = logBetween(random, ...HIGHEST_KBPS);
    const stays = 1 - 1 / between(random, ...STAY_S);
    const deviation = between(random, ...DEVIATION);
    let state = Math.floor(STATES * random());
    const periods = Array.from({ length: LENGTH_S }, () => {
      if (random() >= stays) state = nextState(state, random);
      const mean_kbps = LOWEST_KBPS + ((highest_kbps - LOWEST_KBPS) * state) / (STATES - 1);
      const kbps = Math.max(LEAST_KBPS, Math.round(mean_kbps * (1 + deviation * normal(random))));
      return [1000, kbps, LATENCY_MS] as const;
    });
    return { name: `markov-${seed}-${String(index + 1).padStart(3, '0')}`, periods };
  });
}

/** Draws the next state, always a different one from `state`. */
function nextState(state: number, random: Random): number {
  const weights = Array.from({ length: STATES }, (_, other) =>
    other === state ? 0 : STEP_SHARE ** Math.abs(other - state),
  );
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const next = weights.findIndex((weight) => (left -= weight) < 0);
  return next < 0 ? state : next;
}
