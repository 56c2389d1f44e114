import { meanOrNull } from '../../../ground/statistics/percentiles.ts';
import { seededRandom } from '../../../ground/statistics/random.ts';
import { DAY_MS } from '../../world/arrivals.ts';
import type { Values } from '../claims/evidence.ts';
import type { Measurement } from '../measurement.ts';
import {
  drawVisits,
  EXPERIMENT_DAYS,
  playBothArms,
  POPULATION,
  type Aging,
  type InitialQuality,
  type PairedVisit,
} from './visits.ts';

const VIEWERS = { quick: 75, full: 300 };

const { rate_mbps, visits_per_day, visitDeviation } = POPULATION;

/** The A/B test of Sammy §5.7, in which only the control begins with a history. */
export const returningViewers: Measurement = {
  name: 'returning-viewers',
  about: `An A/B test of ${EXPERIMENT_DAYS} days without difference but the history at its start: ${VIEWERS.full} viewers a seed (quick: ${VIEWERS.quick}) visit as often in the two weeks before it, which only the control remembers. Both arms play the same visits of 24 s with sammy-paper. Log-normal over viewers: the network's rate, median ${rate_mbps.median} Mbit/s and deviation ${rate_mbps.deviation} of the logarithm, and visits a day, median ${visits_per_day.median} and deviation ${visits_per_day.deviation}. A network's rate varies from visit to visit (deviation ${visitDeviation}). 'ageless': the same with complete trust in old throughputs. In virtual time, by the model of dash.js.`,
  cost_s: { quick: 10, full: 40 },
  seeds: { quick: 3, full: 10 },
  measure({ seed, quick }) {
    const random = seededRandom(seed);
    const viewers = Array.from({ length: quick ? VIEWERS.quick : VIEWERS.full }, () => drawVisits(random));
    const play = (aging: Aging) => viewers.flatMap((visits) => playBothArms(visits, aging));
    return { ...computeValues(play('aging')), ...computeValues(play('ageless'), ', ageless') };
  },
};

/** Computes the means of each day of the experiment, and of its second week. */
export function computeValues(visits: readonly PairedVisit[], suffix = ''): Values {
  const getDay = ({ at_ms }: PairedVisit): number => 1 + Math.floor(at_ms / DAY_MS);
  const days = Array.from({ length: EXPERIMENT_DAYS }, (_, index) => index + 1);
  return Object.assign(
    {},
    ...days.map((day) =>
      comparePeriod(
        visits.filter((visit) => getDay(visit) === day),
        `day ${day}${suffix}`,
      ),
    ),
    comparePeriod(
      visits.filter((visit) => getDay(visit) > 7),
      `week 2${suffix}`,
    ),
  ) as Values;
}

/**
 * Computes the mean quality of each arm, and treatment less control. Visits that showed nothing in one of the arms are
 * left out of both.
 */
function comparePeriod(visits: readonly PairedVisit[], period: string): Values {
  const compareMetric = (metric: keyof InitialQuality) => {
    const pairs = visits.flatMap(({ treatment, control }) => {
      const [treated, untreated] = [treatment[metric], control[metric]];
      return treated === null || untreated === null ? [] : [{ treated, untreated }];
    });
    return {
      treatment: meanOrNull(pairs.map(({ treated }) => treated)),
      control: meanOrNull(pairs.map(({ untreated }) => untreated)),
      gap: meanOrNull(pairs.map(({ treated, untreated }) => treated - untreated)),
    };
  };
  const [ssim, bitrate] = [compareMetric('initial_ssim_db'), compareMetric('initial_bitrate_kbps')];
  const getMeans = (arm: 'treatment' | 'control') => ({
    initial_ssim_db: ssim[arm],
    initial_bitrate_kbps: bitrate[arm],
  });
  return {
    [`treatment, ${period}`]: getMeans('treatment'),
    [`control, ${period}`]: getMeans('control'),
    [`treatment less control, ${period}`]: { initial_ssim_db: ssim.gap },
  };
}
