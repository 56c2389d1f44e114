import type { PatienceName } from '../../player/light/patience.ts';

/**
 * The world's demand, network and video. These values were committed before anybody looked at a result, and they must
 * not be changed to get another result. Pass another `World` instead.
 */
export interface World {
  /** The capacity of each link's bottleneck, kbit/s of payload. */
  readonly capacity_kbps: number;
  /** The queueing delay of a full bottleneck, ms. */
  readonly queue_ms: number;
  /** The number of sessions that begin in an hour whose `load` is 1. */
  readonly sessionsPerHour: number;
  /** The share of `sessionsPerHour` in each hour of the day, 0 to 23. */
  readonly load: Readonly<Record<'weekday' | 'weekend', readonly number[]>>;
  /**
   * The standard deviation of the logarithm of a day's demand: of the factor that both links share, and of the factor
   * of each link.
   */
  readonly dayNoise: { readonly both: number; readonly each: number };
  readonly accounts: number;
  /** The limit of a session's length, s. */
  readonly longest_s: number;
  /** The distribution of access lines' rates: the median, kbit/s, and the standard deviation of the logarithm. */
  readonly access: { readonly median_kbps: number; readonly deviation: number };
  /** The range of the idle path's RTT, which is uniformly distributed, ms. */
  readonly rtt_ms: { readonly least: number; readonly most: number };
  readonly bitrates_kbps: readonly number[];
  readonly segment_s: number;
  /** The capacity of the player's buffer, s of content. */
  readonly buffer_s: number;
  /**
   * How viewers respond to waiting. By default they never leave early; all published figures use this default unless
   * they say otherwise.
   */
  readonly patience?: PatienceName;
}

const WEEKDAY = [
  0.45, 0.3, 0.2, 0.15, 0.12, 0.12, 0.15, 0.2, 0.25, 0.28, 0.3, 0.33, 0.37, 0.38, 0.38, 0.4, 0.46, 0.55, 0.68,
  0.82, 0.95, 1, 0.92, 0.68,
];
const WEEKEND = [
  0.6, 0.42, 0.28, 0.2, 0.15, 0.14, 0.16, 0.22, 0.32, 0.42, 0.5, 0.56, 0.6, 0.64, 0.67, 0.7, 0.75, 0.82, 0.92,
  1.03, 1.12, 1.15, 1.05, 0.82,
];

/**
 * Sessions watch for 840 s on average, so 21 run at the weekday's peak. At the top bitrate these 21 sessions need 69
 * Mbit/s, which is 1.15 times the link's capacity. On weekends, the peak needs 1.33 times the capacity. At dawn, sessions
 * need a seventh of it on weekdays, and a sixth on weekends.
 */
export const WORLD: World = {
  capacity_kbps: 60_000,
  queue_ms: 100,
  sessionsPerHour: 90,
  load: { weekday: WEEKDAY, weekend: WEEKEND },
  dayNoise: { both: 0.05, each: 0.02 },
  accounts: 4000,
  longest_s: 3600,
  access: { median_kbps: 25_000, deviation: 0.6 },
  rtt_ms: { least: 10, most: 40 },
  bitrates_kbps: [300, 700, 1500, 2300, 3300],
  segment_s: 6,
  buffer_s: 30,
};

/** The highest bitrate that the treatment `cap` allows, kbit/s: the second highest rung. */
export const CAP_KBPS = 2300;
