import { getBucket } from '../../../src/experiment/bucket.ts';
import type { Random } from '../../ground/statistics/random.ts';
import { exponential, normal, randomStream } from '../world/arrivals.ts';
import { WORLD } from '../world/demand.ts';
import { watchTime } from '../world/watch-times.ts';
import { sites, type Server, type Site, type SiteName } from './sites.ts';

/**
 * The rate of the link, a thousandth of a port of 100 Gbit/s. Round trips, bitrates, per-connection throughput, and
 * buffers in units of time are the same as on such a port. The number of viewers is a thousand times lower.
 */
export const RATE_KBPS = 100_000;
/** The bitrate below which a segment counts as "low quality". The thesis uses VMAF below 80 instead. */
export const LOW_BELOW_KBPS = 1500;
export const FILM = { bitrates_kbps: WORLD.bitrates_kbps, segment_s: 4 };
/** Sessions are shorter than those of Puffer by this factor, because less than a minute of each hour is simulated. */
const SHORTER = 10;
/**
 * The mean number of concurrent sessions per stack in each hour of an evening, which repeats. The link can serve 30
 * viewers at the top bitrate, 3300 kbit/s, so the load varies from half of its capacity to almost twice its capacity.
 */
const EVENING = [15, 25, 35, 45, 55, 45, 35, 25];
/** The duration of the warm-up before the measurement, s. Most sessions are shorter. */
export const WARM_UP_S = 20;
/**
 * The receive windows, bytes, which are equally frequent: a small one as in old devices, which the thesis suspects as a
 * cause of its results, and two larger ones.
 */
const RECEIVE_WINDOWS = [65_536, 262_144, 1_048_576];

/** A session of an hour that has not been played yet. */
export interface PlannedSession {
  readonly at_s: number;
  readonly watch_s: number;
  readonly rank: number;
  /** The stack, by a hash of the session. */
  readonly stack: 'A' | 'B';
  readonly server: Server;
  readonly queue: number;
  readonly rtt_ms: number;
  readonly access_kbps: number;
  readonly receive_window_bytes: number;
}

/** The load of an hour: the number of viewers as a multiple of the number that can have the top bitrate. */
export const getLoad = (hour: number): number => countViewers(hour) / (RATE_KBPS / topBitrate);

const topBitrate = Math.max(...FILM.bitrates_kbps);
const countViewers = (hour: number): number => EVENING[(hour - 1) % EVENING.length] ?? 0;

/**
 * Changes to a site's properties, to find the condition on which a result's sign depends. Each property defaults to the
 * site's value.
 */
export interface Switches {
  /** The number of virtual output queues of each site's routers. */
  readonly queues?: number | undefined;
  /** All viewers' receive window. */
  readonly window_bytes?: number | undefined;
}

/** Returns the site with this number of queues. The share of queues for catalog servers stays about the same. */
export function getSite(name: SiteName, { queues }: Switches): Site {
  const site: Site = sites[name];
  if (queues === undefined) return site;
  const catalogQueues = Math.round((queues * site.catalogQueues) / site.queues);
  return { ...site, queues, catalogQueues: Math.min(queues - 1, catalogQueues) };
}

/** An hour of a site. `hour` counts from 1; `seconds` is its length after the warm-up. */
export interface SiteHour {
  readonly site: SiteName;
  readonly hour: number;
  readonly seconds: number;
  readonly seed: number;
  readonly switches: Switches;
}

/** Plans the sessions of both stacks of a site in an hour, in order of time. */
export function planSessions({ site: name, hour, seconds, seed, switches }: SiteHour): PlannedSession[] {
  const site = getSite(name, switches);
  const random = randomStream(seed, `${name} hour ${hour}`);
  const end_s = WARM_UP_S + seconds;
  const meanWatch_s = meanWatchTime_s(end_s);
  const perSecond = (2 * countViewers(hour)) / meanWatch_s;
  const sessions: PlannedSession[] = [];
  for (let at_s = exponential(random) / perSecond; at_s < end_s; at_s += exponential(random) / perSecond) {
    const watch_s = Math.min(end_s, watchTime(random()) / SHORTER);
    const stack = getBucket(`${seed}`, `${name}-${hour}-${sessions.length}`) < 0.5 ? 'A' : 'B';
    sessions.push({ at_s, watch_s, rank: random(), stack, ...drawLine(site, switches, random) });
  }
  return sessions;
}

function drawLine(site: Site, { window_bytes }: Switches, random: Random) {
  const { catalogShare, catalogQueues, queues, rtt_ms } = site;
  const server: Server = random() < catalogShare ? 'catalog' : 'offload';
  const offload = queues - catalogQueues;
  const place = random();
  const catalog = offload + Math.floor(place * catalogQueues);
  const queue = server === 'catalog' && catalogQueues > 0 ? catalog : Math.floor(place * offload);
  const [least, most] = rtt_ms[server];
  const { median_kbps, deviation } = WORLD.access;
  const drawn = RECEIVE_WINDOWS[Math.floor(random() * RECEIVE_WINDOWS.length)];
  return {
    ...{ server, queue },
    rtt_ms: least + random() * (most - least),
    access_kbps: median_kbps * Math.exp(deviation * normal(random)),
    receive_window_bytes: window_bytes ?? drawn ?? 0,
  };
}

/** The mean of the watch times, each limited to `most_s`, s. */
function meanWatchTime_s(most_s: number): number {
  const steps = 1000;
  const times = Array.from({ length: steps }, (_, step) => watchTime((step + 0.5) / steps) / SHORTER);
  return times.reduce((sum, each) => sum + Math.min(most_s, each), 0) / steps;
}
