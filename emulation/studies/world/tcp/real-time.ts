import type { SammyOptions } from '../../../../src/options.ts';
import type { ViewerPlan } from '../../../player/light/patience.ts';
import { arrivals, HOUR_MS } from '../arrivals.ts';
import { WORLD, type World } from '../demand.ts';
import { LINKS } from '../designs.ts';
import { assigned, linkExperiment, firstDay, type LinkRun } from '../link-run.ts';
import type { SessionRow } from '../session-row.ts';

/** The real time that an hour of the load curve takes, s: the clock runs 180 times as fast as real time. */
export const HOUR_S = 20;
/** The factor by which sessions are shorter than in virtual time. */
const SHORTER = 60;
/** The factor by which segments and buffer are shorter. */
const VIDEO_SHORTER = 3;
/** The factor by which the link's rate is lower. */
const SMALLER = 2;

/**
 * The world over real TCP. The clock of the load curve can run faster than real time, but a round trip, the
 * transmission of a packet and a second of video cannot. Therefore, an hour of the load curve takes 20 s, but sessions
 * are played in real time, with shorter contents:
 *
 * - A session watches for a 60th of its time in virtual time: 14 s on average, a minute at most. A 180th, which is 5 s,
 *   would be little more than the startup. On the clock of the load curve, a session thus takes 0.7 hours on average
 *   and 3 at most. Sessions overlap more hours than in virtual time, which smooths the load curve.
 * - Segments and buffer are a third as long, 2 s and 10 s, so that a session reaches the end of its initial buffering.
 * - On the clock of the load curve, sessions watch three times as long as in virtual time. Therefore, only a third as
 *   many sessions begin, so that the number of active sessions is the same (Little's law).
 * - The link has half the rate, 30 Mbit/s, and half as many sessions begin: 15 in an hour whose load is 1. Therefore,
 *   the ratio of demand to capacity is the same as in virtual time, and at the weekday's peak about ten viewers share
 *   the link.
 *
 * Bitrates, arms, accounts, seeds and the queue's 100 ms are the same. All paths have the same round trip, which is the
 * mean of the round trips in virtual time. Access lines are not emulated: a single unpaced viewer can fill the link.
 * The link's rate counts frames; in virtual time it counts payload.
 */
export const TCP_WORLD: World = {
  ...WORLD,
  capacity_kbps: WORLD.capacity_kbps / SMALLER,
  sessionsPerHour: (WORLD.sessionsPerHour / SMALLER) * (SHORTER / (3600 / HOUR_S)),
  segment_s: WORLD.segment_s / VIDEO_SHORTER,
  buffer_s: Math.round(WORLD.buffer_s / VIDEO_SHORTER),
};

/** The played hours of each day, from the hour `from` until before `to`. */
export interface DayHours {
  readonly from: number;
  readonly to: number;
}
export const WHOLE_DAY: DayHours = { from: 0, to: 24 };

/** An hour that is played. Hours are played one after the other. */
export interface PlayedHour {
  /** The number of the hour since midnight of the first day. */
  readonly hour: number;
  /** Whether the hour is measured. An hour that only fills the link is not. */
  readonly counts: boolean;
}

/** Lists the hours to play. Before each contiguous stretch of hours, an additional hour fills the link. */
export function playedHours(days: number, { from, to }: DayHours): PlayedHour[] {
  const counted = Array.from({ length: days }, (_, day) =>
    Array.from({ length: to - from }, (_, index) => 24 * day + from + index),
  ).flat();
  return counted.flatMap((hour, index) => {
    const goesOn = counted[index - 1] === hour - 1;
    return [...(goesOn ? [] : [{ hour: hour - 1, counts: false }]), { hour, counts: true }];
  });
}

export interface PlannedSession extends Pick<ViewerPlan, 'rank'> {
  /** The start, in s of real time since the first hour began. */
  readonly at_s: number;
  readonly seconds: number;
  readonly options: SammyOptions;
  readonly row: Omit<SessionRow, 'metrics'>;
  /** Whether the session began in a measured hour. */
  readonly counts: boolean;
}

/**
 * Plans the sessions that arrive at the link in these hours, in order. All sessions end with the last hour at the
 * latest.
 */
export function plannedSessions(
  run: LinkRun,
  hours: readonly PlayedHour[],
  hour_s = HOUR_S,
): PlannedSession[] {
  const experiment = linkExperiment(run);
  const places = new Map(hours.map(({ hour, counts }, place) => [hour, { place, counts }]));
  const end_s = hour_s * hours.length;
  const { world, days, seed } = run;
  const coming = arrivals(world, LINKS.indexOf(run.link), days, seed, firstDay(run));
  return coming.flatMap((arrival, index) => {
    const hour = Math.floor(arrival.at_ms / HOUR_MS);
    const played = places.get(hour);
    const session = played && assigned(run, experiment, arrival, index);
    if (!session) return [];
    const at_s = hour_s * (played.place + arrival.at_ms / HOUR_MS - hour);
    const seconds = Math.min(arrival.watch_s / SHORTER, end_s - at_s);
    return [{ at_s, seconds, rank: arrival.rank, counts: played.counts, ...session }];
  });
}
