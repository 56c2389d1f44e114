import { armNamed } from '../../../emulation/player/arms/index.ts';
import { readTraces } from '../../../emulation/network/links/trace-files/read-traces.ts';
import { readSettings } from '../../../emulation/player/model/player/settings.ts';
import { Timeline } from '../../../emulation/player/model/player/timeline.ts';
import { simulateSession } from '../../../emulation/player/model/session.ts';
import type { SimulatedNetwork, SimulatedResult } from '../../../emulation/player/model/simulated-session.ts';
import { progressPrinter } from '../../../system/progress.ts';
import { meanOf, play, traced, type Film } from '../play.ts';
import { differenceOf } from '../traces.ts';
import { bestMean } from './best-plan.ts';
import { experienceOf } from './experience.ts';
import { foreknowing } from './foreknowing.ts';
import { foreknown, qualityOf } from './foreknown.ts';
import { watchedOf } from './watched.ts';

/** Shares of the link's rate to plan with: real TCP does not use all of it. Per trace, the one that serves best counts. */
const SHARES = [0.95, 0.9, 0.8];
/** A viewer who goes on: planned as far beyond the session's end as a player buffers, s. */
const BEYOND_S = 60;

/** One session, or what no session can exceed. */
export interface Outcome {
  readonly ssim_db: number;
  readonly stall_points: number;
  /** The mean of Q - λ |Q - Q_before| - μ T over the segments, dB. */
  readonly experience_db: number;
}

export interface AttainableRow {
  readonly arm: string;
  readonly ssim_db: string;
  readonly avoidable_points: string;
  readonly experience_db: string;
  /** Of what perfect knowledge gains in experience over stock dash.js in the simulator, and of what no session can exceed. */
  readonly of_foreknowing_pct: string;
  readonly of_bound_pct: string;
}

const STOCK = 'dashjs';
const FOREKNOWING = 'perfect knowledge';
const BOUND = 'no more than';

/** How much of what perfect knowledge would gain each arm reaches, on the traces of a file or folder. */
export async function attainable(
  path: string,
  arms: readonly string[],
  film: Film,
  seconds: number,
): Promise<AttainableRow[]> {
  const networks = await Promise.all((await readTraces(path)).map(traced));
  const outcomes = new Map<string, Outcome[]>();
  const note = (arm: string, outcome: Outcome) => outcomes.set(arm, [...(outcomes.get(arm) ?? []), outcome]);
  const print = progressPrinter();
  for (const [index, network] of networks.entries()) {
    for (const arm of [STOCK, 'dashjs-no-fast-switch', 'lowest', ...arms])
      note(arm, sessionOutcome(play(arm, film, network, seconds), film, seconds));
    const { bound, played } = perfect(film, network, seconds);
    note(FOREKNOWING, played);
    note(BOUND, bound);
    print({ task: 'Planning with perfect knowledge', fraction: (index + 1) / networks.length });
  }
  print.end();
  return rowsOf(outcomes);
}

/** What no session exceeds, and the best one of those that know all. */
export function perfect(film: Film, network: SimulatedNetwork, seconds: number) {
  const { starts_s, buffers } = standingOf(film, network, seconds);
  const ideal = foreknown(film, network, buffers, seconds);
  const { watched, bound } = bestMean(ideal, starts_s);
  const ssims = watched.rungs.map((rung, segment) => ideal.quality_db[segment]?.[rung] ?? NaN);
  return {
    bound: {
      ssim_db: meanOf(ssims),
      stall_points: (100 * watched.stalled_s) / (seconds - watched.delay_s),
      experience_db: bound,
    },
    played: bestKnowing(film, network, seconds),
  };
}

/** The best session, by experience, of those that know the network and the film, in the simulator. */
export function bestKnowing(film: Film, network: SimulatedNetwork, seconds: number): Outcome {
  const { starts_s, buffers } = standingOf(film, network, seconds);
  const played = SHARES.map((share) => {
    const known = foreknown(film, network, buffers, seconds + BEYOND_S, share);
    const arm = foreknowing(known, film, starts_s);
    return sessionOutcome(simulateSession({ arm, film, network, seconds }), film, seconds);
  });
  return played.reduce((best, each) => (each.experience_db > best.experience_db ? each : best));
}

function standingOf(film: Film, network: SimulatedNetwork, seconds: number) {
  const lowest = play('lowest', film, network, seconds);
  return {
    starts_s: (lowest.decisions.find(({ media_type }) => media_type === 'video')?.at_ms ?? 0) / 1000,
    buffers: readSettings({ arm: armNamed('lowest'), film, seconds }, new Timeline(film).end_s),
  };
}

export function sessionOutcome(result: SimulatedResult, film: Film, seconds: number): Outcome {
  const { summary } = result;
  return {
    ssim_db: summary.mean_ssim_db ?? NaN,
    stall_points: 100 * summary.rebuffer_ratio,
    experience_db: experienceOf(watchedOf(result, film, seconds), qualityOf(film)),
  };
}

/** The means over the traces. What is gained is the difference to stock dash.js, with a 95% interval. */
function rowsOf(outcomes: ReadonlyMap<string, readonly Outcome[]>): AttainableRow[] {
  const of = (arm: string, key: keyof Outcome) => (outcomes.get(arm) ?? []).map((outcome) => outcome[key]);
  const gained = (arm: string) => meanOf(of(arm, 'experience_db')) - meanOf(of(STOCK, 'experience_db'));
  return [...outcomes.keys()].map((arm) => ({
    arm,
    ssim_db: differenceOf(of(arm, 'ssim_db'), of(STOCK, 'ssim_db')),
    avoidable_points: (meanOf(of(arm, 'stall_points')) - meanOf(of('lowest', 'stall_points'))).toFixed(2),
    experience_db: differenceOf(of(arm, 'experience_db'), of(STOCK, 'experience_db')),
    of_foreknowing_pct: ((100 * gained(arm)) / gained(FOREKNOWING)).toFixed(0),
    of_bound_pct: ((100 * gained(arm)) / gained(BOUND)).toFixed(0),
  }));
}
