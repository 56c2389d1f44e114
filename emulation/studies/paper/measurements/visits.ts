import { bigBuckBunny } from '../../../../media/films/big-buck-bunny.ts';
import { wholeSegments } from '../../../../media/loop-sidecar.ts';
import { InitialThroughputHistory, sessionsAt } from '../../../../src/learning/history.ts';
import type { TextStorage } from '../../../../src/learning/text-storage.ts';
import { milliseconds } from '../../../../src/units.ts';
import { normal } from '../../../ground/statistics/distributions.ts';
import { exp, ln } from '../../../ground/statistics/portable-math.ts';
import type { Random } from '../../../ground/statistics/random.ts';
import { constantRate } from '../../../network/virtual/rounds/rates.ts';
import { armNamed } from '../../../player/arms/index.ts';
import { filmFor } from '../../../player/model/player/film-for.ts';
import { makeMemoryStorage } from '../../../player/records/memory-storage.ts';
import { simulateSession } from '../../../player/model/session.ts';
import { TODAY_MS } from '../../../player/model/simulated-session.ts';
import { DAY_MS } from '../../world/arrivals.ts';

/** The duration of the experiment. Twice the week that the paper's treatment took to come closest to the control. */
export const EXPERIMENT_DAYS = 14;
/** The duration of the visits before the experiment. The plug-in's history keeps throughputs for as long. */
const EARLIER_DAYS = 14;

/** A log-normal distribution, with the standard deviation of the natural logarithm. */
interface LogNormal {
  readonly median: number;
  readonly deviation: number;
}

/**
 * The viewers, whom the paper does not describe. These values were committed before anybody looked at a result, and
 * they must not be changed to get another result.
 */
export const POPULATION: Readonly<Record<'rate_mbps' | 'visits_per_day', LogNormal>> & {
  readonly visitDeviation: number;
} = {
  /**
   * The typical rates of the viewers' networks: 30% are below 6 Mbit/s and 14% above 30 Mbit/s, so that each band of
   * Sammy Figure 3 has viewers.
   */
  rate_mbps: { median: 10, deviation: 1 },
  /**
   * 12% of the viewers come more than twice a day, and 15% less than once a week. The mean is about one visit a day.
   */
  visits_per_day: { median: 0.5, deviation: 1.2 },
  /**
   * The standard deviation of the logarithm of a visit's rate. Visits differ by about a third from the viewer's typical
   * rate, so that a history is informative but not exact.
   */
  visitDeviation: 0.3,
};

/** The round-trip time of the measurement `memory`, and the queue of `schemes`. */
const LINK = { rtt_ms: 40, queue_bytes: 150_000 };
/** The metrics cover the first 20 s of playback; the rest is the play delay. */
const SESSION_S = 24;
const ARM = armNamed('sammy-paper');
/** For each segment, the video that begins with this segment. */
const FILMS = Array.from({ length: wholeSegments(bigBuckBunny) }, (_, first) =>
  filmFor(bigBuckBunny, SESSION_S, first),
);
/** The key of a simulated viewer's only network in the history. */
const PLACE = '';

export interface Visit {
  /** ms since the experiment's start; negative before it. */
  readonly at_ms: number;
  /** The rate of the network during the visit. */
  readonly mbps: number;
  /** The index of the video's segment with which the visit begins. */
  readonly firstSegment: number;
}

/** The quality of a session's first 20 s; null if nothing was played. */
export interface InitialQuality {
  readonly initial_ssim_db: number | null;
  readonly initial_bitrate_kbps: number | null;
}

export type PlayVisit = (visit: Visit, storage: TextStorage) => InitialQuality;

/** Draws the visits of one viewer before and during the experiment, in order of time: a Poisson process. */
export function drawVisits(random: Random): Visit[] {
  const typical_mbps = drawLogNormal(random, POPULATION.rate_mbps);
  const meanGap_ms = DAY_MS / drawLogNormal(random, POPULATION.visits_per_day);
  const drawGap_ms = () => -ln(1 - random()) * meanGap_ms;
  const visits: Visit[] = [];
  let at_ms = -EARLIER_DAYS * DAY_MS + drawGap_ms();
  while (at_ms < EXPERIMENT_DAYS * DAY_MS) {
    const mbps = drawLogNormal(random, { median: typical_mbps, deviation: POPULATION.visitDeviation });
    visits.push({ at_ms, mbps, firstSegment: Math.floor(random() * FILMS.length) });
    at_ms += SESSION_S * 1000 + drawGap_ms();
  }
  return visits;
}

const drawLogNormal = (random: Random, { median, deviation }: LogNormal): number =>
  median * exp(deviation * normal(random));

/** Plays one visit, which reads and extends the viewer's history in `storage`. */
export const playVisit: PlayVisit = ({ at_ms, mbps, firstSegment }, storage) => {
  const film = FILMS[firstSegment];
  if (!film) throw new Error(`the video has no segment ${firstSegment}`);
  const { summary } = simulateSession({
    ...{ arm: ARM, film, seconds: SESSION_S, storage, begins_ms: TODAY_MS + at_ms },
    network: { capacity: constantRate(mbps), ...LINK },
  });
  const { initial_ssim_db, initial_bitrate_kbps } = summary;
  return { initial_ssim_db, initial_bitrate_kbps };
};

/** How the plug-in's trust in stored throughputs changes: it halves every day, or it stays complete. */
export type Aging = 'aging' | 'ageless';

/** The quality of a visit during the experiment, in both arms. */
export interface PairedVisit {
  readonly at_ms: number;
  readonly treatment: InitialQuality;
  readonly control: InitialQuality;
}

/**
 * Plays a viewer's visits in both arms, and returns those during the experiment. Control has the history of the visits
 * before the experiment; treatment begins the experiment with an empty history.
 */
export function playBothArms(visits: readonly Visit[], aging: Aging, play = playVisit): PairedVisit[] {
  const [control, treatment] = [makeMemoryStorage(), makeMemoryStorage()];
  const playWith = (storage: TextStorage, visit: Visit): InitialQuality => {
    if (aging === 'ageless') renewHistory(storage, TODAY_MS + visit.at_ms);
    return play(visit, storage);
  };
  return visits.flatMap((visit): PairedVisit[] => {
    const played = playWith(control, visit);
    if (visit.at_ms < 0) return [];
    return [{ at_ms: visit.at_ms, control: played, treatment: playWith(treatment, visit) }];
  });
}

/** Sets the date of all stored throughputs to `now_ms`, so that the plug-in trusts them completely. */
function renewHistory(storage: TextStorage, now_ms: number): void {
  const now = milliseconds(now_ms);
  const throughputs = sessionsAt(storage, now, PLACE);
  const history = new InitialThroughputHistory(storage);
  history.reset();
  for (const throughput of throughputs) history.add(throughput, now, PLACE);
}
