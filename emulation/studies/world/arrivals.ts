import { seededRandom, type Random } from '../../ground/statistics/random.ts';
import type { World } from './demand.ts';
import { watchTime } from './watch-times.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** When an experiment begins: midnight (UTC) of a Monday. The load curve also uses UTC. */
export const START_MS = Date.UTC(2026, 2, 2);

export interface Arrival {
  /** ms since midnight of the first day. Negative in the hour before, whose sessions only fill the link. */
  readonly at_ms: number;
  readonly account: number;
  readonly watch_s: number;
  /** The share of all viewers who are less patient than this viewer, 0 to 1. */
  readonly rank: number;
  readonly access_kbps: number;
  readonly idle_rtt_ms: number;
}

/**
 * Draws the sessions that arrive at link number `link`, in order, on `days` days from day `firstDay` on. Days before
 * the experiment have negative numbers. Their random numbers are independent of those of later days, so an experiment's
 * sessions are the same with and without such days. Accounts and their access lines are the same on all days. The
 * arrivals do not depend on the experiment's design.
 */
export function arrivals(world: World, link: number, days: number, seed: number, firstDay = 0): Arrival[] {
  const ofLines = randomStream(seed, `link ${link}`);
  const lines = Array.from({ length: world.accounts }, () => ({
    access_kbps: world.access.median_kbps * Math.exp(world.access.deviation * normal(ofLines)),
    idle_rtt_ms: world.rtt_ms.least + ofLines() * (world.rtt_ms.most - world.rtt_ms.least),
  }));
  const period = firstDay === 0 ? '' : ` from day ${firstDay}`;
  const random = firstDay === 0 ? ofLines : randomStream(seed, `link ${link}${period}`);
  const ranks = randomStream(seed, `patience of link ${link}${period}`);
  const both = randomStream(seed, `days${period}`);
  const busy = busyDays(world, days, both, randomStream(seed, `days of link ${link}${period}`));
  const all: Arrival[] = [];
  for (let hour = -1; hour < 24 * days; hour++) {
    const perHour = loadAt(world, 24 * firstDay + hour) * (busy[Math.max(0, Math.floor(hour / 24))] ?? 1);
    // Poisson arrivals have exponential gaps. The hour's last gap is discarded, and the next hour draws a new one.
    for (let at = exponential(random) / perHour; at < 1; at += exponential(random) / perHour) {
      const account = Math.floor(random() * world.accounts);
      const line = lines[account];
      if (!line) throw new Error(`there is no account ${account}`);
      const watch_s = Math.min(world.longest_s, watchTime(random()));
      all.push({ at_ms: (hour + at) * HOUR_MS, account, watch_s, rank: ranks(), ...line });
    }
  }
  return all;
}

function loadAt({ load, sessionsPerHour }: World, hour: number): number {
  const date = new Date(START_MS + hour * HOUR_MS);
  const isWeekend = date.getUTCDay() % 6 === 0;
  return sessionsPerHour * (load[isWeekend ? 'weekend' : 'weekday'][date.getUTCHours()] ?? 0);
}

/** The factor of each day's demand: a random factor that both links share, times a random factor of the link. */
function busyDays({ dayNoise }: World, days: number, both: Random, each: Random): number[] {
  return Array.from({ length: days }, () =>
    Math.exp(dayNoise.both * normal(both) + dayNoise.each * normal(each)),
  );
}

/**
 * Returns a random generator. The same seed and purpose give the same numbers; different purposes give independent
 * numbers.
 */
export function randomStream(seed: number, purpose: string): Random {
  let hash = 0x811c9dc5;
  for (const character of `${seed} ${purpose}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return seededRandom(hash);
}

export const exponential = (random: Random): number => -Math.log(1 - random());

/** Draws from the standard normal distribution by Box and Muller's method. */
export const normal = (random: Random): number =>
  Math.sqrt(2 * exponential(random)) * Math.cos(2 * Math.PI * random());
