import type { SammyOptions } from '../../../../src/options.ts';
import type { ViewerPlan } from '../../../player/light/patience.ts';
import { arrivals, HOUR_MS } from '../arrivals.ts';
import { WORLD, type World } from '../demand.ts';
import { LINKS } from '../designs.ts';
import { assigned, linkExperiment, firstDay, type LinkRun } from '../link-run.ts';
import type { SessionRow } from '../session-row.ts';

/** Real time per hour of the load curve, s: the clock runs 180 times as fast. */
export const HOUR_S = 20;
/** The factor by which sessions are shorter than in virtual time. */
const SHORTER = 60;
/** The factor by which segments and buffer are shorter. */
const VIDEO_SHORTER = 3;
/** The factor by which the link's rate is lower. */
const SMALLER = 2;

/**
 * The world over real TCP. Its clock can run faster, but a round trip, the transmission of a packet and a second of video
 * cannot. So an hour of the load curve takes 20 s, while sessions are played in real time, with shorter contents:
 *
 * - A session watches for a 60th of its time in virtual time: 14 s on average, a minute at most. A 180th, 5 s, would be
 *   little more than the startup. So a session takes 0.7 hours of the clock on average and 3 at most. Sessions overlap more
 *   hours than in virtual time, which smooths the load curve.
 * - Segments and buffer are a third as long, 2 s and 10 s, so that a session reaches the end of its initial buffering.
 * - Sessions watch three times as long by the clock, so a third as many come, and as many are active (Little's law).
 * - The link has half the rate, 30 Mbit/s, and half as many sessions come: 15 in an hour whose load is 1. So the ratio of
 *   demand to capacity is the same as in virtual time, and at the weekday's peak about ten viewers share the link.
 *
 * Bitrates, arms, accounts, seeds and the queue's 100 ms are the same. All paths have the same round trip, the mean of those
 * in virtual time. Access lines are not emulated: a single unpaced viewer can fill the link. The link's rate counts frames;
 * in virtual time it counts payload.
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

/** An hour as it is played, one after the other. */
export interface PlayedHour {
  /** Since the first day's midnight. */
  readonly hour: number;
  /** False for an hour that only fills the link. */
  readonly counts: boolean;
}

/** The days' hours, each stretch after an hour that fills the link. */
export function playedHours(days: number, { from, to }: DayHours): PlayedHour[] {
  const counted = Array.from({ length: days }, (_, day) =>
    Array.from({ length: to - from }, (_, index) => 24 * day + from + index),
  ).flat();
  return counted.flatMap((hour, index) => {
    const goesOn = counted[index - 1] === hour - 1;
    return [...(goesOn ? [] : [{ hour: hour - 1, counts: false }]), { hour, counts: true }];
  });
}

/** A session to be played. */
export interface PlannedSession extends Pick<ViewerPlan, 'rank'> {
  /** Since the first hour began, real time, s. */
  readonly at_s: number;
  readonly seconds: number;
  readonly options: SammyOptions;
  readonly row: Omit<SessionRow, 'metrics'>;
  /** Whether it began in an hour that counts. */
  readonly counts: boolean;
}

/** The sessions that come to the link in these hours, in order. The end of the last hour ends all sessions. */
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
