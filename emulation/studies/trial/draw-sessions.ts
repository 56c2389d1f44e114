import { DAY_MS, START_MS, randomStream } from '../world/arrivals.ts';
import { watchTime } from '../world/watch-times.ts';

/** The properties of a session. They are drawn independently of the arm, because the viewer does not know the arm. */
export interface DrawnSession {
  readonly id: string;
  /** When playback is requested, ms since 1970. */
  readonly began_ms: number;
  /** The index of the session's network. */
  readonly network: number;
  /** The position in the network's trace at which the session begins, ms. */
  readonly offset_ms: number;
  /** The time after which the viewer leaves, however good the quality is. */
  readonly watch_s: number;
}

export interface Demand {
  readonly seed: number;
  readonly sessions_per_day: number;
  /** The limit of watch times, s. */
  readonly seconds: number;
}

/** Draws the sessions of a day, numbered from 1, in order of time. */
export function drawSessions(
  { seed, sessions_per_day, seconds: longest_s }: Demand,
  networks: readonly { readonly duration_ms: number }[],
  day: number,
): DrawnSession[] {
  const random = randomStream(seed, `sessions of day ${day}`);
  // Sessions begin early enough to end on the same day.
  const span_ms = DAY_MS - longest_s * 1000;
  const drawn = Array.from({ length: sessions_per_day }, () => {
    const network = Math.floor(random() * networks.length);
    return {
      began_ms: START_MS + (day - 1) * DAY_MS + Math.floor(random() * span_ms),
      network,
      offset_ms: Math.floor(random() * (networks[network]?.duration_ms ?? 0)),
      watch_s: Math.min(longest_s, watchTime(random())),
    };
  }).sort((a, b) => a.began_ms - b.began_ms);
  return drawn.map((session, index) => ({ id: `${dayName(day)}/${numbered(index + 1, 5)}`, ...session }));
}

const dayName = (day: number): string => `day-${numbered(day, 3)}`;

export const numbered = (number: number, digits: number): string => String(number).padStart(digits, '0');
