import { armNamed } from '../../../emulation/player/arms/index.ts';
import { readTraces } from '../../../emulation/network/links/trace-files/read-traces.ts';
import { readSettings } from '../../../emulation/player/model/player/settings.ts';
import { Timeline } from '../../../emulation/player/model/player/timeline.ts';
import { simulateSession } from '../../../emulation/player/model/session.ts';
import type { SimulatedNetwork, SimulatedResult } from '../../../emulation/player/model/simulated-session.ts';
import { progressPrinter } from '../../../system/progress.ts';
import { meanOrNaN, play, traced, type Film } from '../play.ts';
import { differenceText } from '../traces.ts';
import { bestMean } from './best-plan.ts';
import { computeExperience } from './experience.ts';
import { foreknowing } from './foreknowing.ts';
import { foreknown, listQuality } from './foreknown.ts';
import { findWatched } from './watched.ts';

/** Shares of the link's rate to plan with, since real TCP cannot use the whole rate. For each trace, the best result counts. */
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
  /**
   * The share of the gain in experience over stock dash.js that an arm reaches: of the gain of perfect knowledge in the
   * simulator, and of the gain that no session can exceed.
   */
  readonly of_foreknowing_pct: string;
  readonly of_bound_pct: string;
}

const STOCK = 'dashjs';
const FOREKNOWING = 'perfect knowledge';
const BOUND = 'no more than';

/** Computes which part of the gain of perfect knowledge each arm reaches, on the traces of a file or folder. */
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
  return makeRows(outcomes);
}

/** The upper bound for all sessions, and the best session with perfect knowledge. */
export function perfect(film: Film, network: SimulatedNetwork, seconds: number) {
  const { starts_s, buffers } = sessionStart(film, network, seconds);
  const ideal = foreknown(film, network, buffers, seconds);
  const { watched, bound } = bestMean(ideal, starts_s);
  const ssims = watched.rungs.map((rung, segment) => ideal.quality_db[segment]?.[rung] ?? NaN);
  return {
    bound: {
      ssim_db: meanOrNaN(ssims),
      stall_points: (100 * watched.stalled_s) / (seconds - watched.delay_s),
      experience_db: bound,
    },
    played: bestKnowing(film, network, seconds),
  };
}

/** The simulated session with the best experience when the network and the video are known. */
export function bestKnowing(film: Film, network: SimulatedNetwork, seconds: number): Outcome {
  const { starts_s, buffers } = sessionStart(film, network, seconds);
  const played = SHARES.map((share) => {
    const known = foreknown(film, network, buffers, seconds + BEYOND_S, share);
    const arm = foreknowing(known, film, starts_s);
    return sessionOutcome(simulateSession({ arm, film, network, seconds }), film, seconds);
  });
  return played.reduce((best, each) => (each.experience_db > best.experience_db ? each : best));
}

function sessionStart(film: Film, network: SimulatedNetwork, seconds: number) {
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
    experience_db: computeExperience(findWatched(result, film, seconds), listQuality(film)),
  };
}

/** The means over the traces. What is gained is the difference to stock dash.js, with a 95% interval. */
function makeRows(outcomes: ReadonlyMap<string, readonly Outcome[]>): AttainableRow[] {
  const of = (arm: string, key: keyof Outcome) => (outcomes.get(arm) ?? []).map((outcome) => outcome[key]);
  const gained = (arm: string) => meanOrNaN(of(arm, 'experience_db')) - meanOrNaN(of(STOCK, 'experience_db'));
  return [...outcomes.keys()].map((arm) => ({
    arm,
    ssim_db: differenceText(of(arm, 'ssim_db'), of(STOCK, 'ssim_db')),
    avoidable_points: (meanOrNaN(of(arm, 'stall_points')) - meanOrNaN(of('lowest', 'stall_points'))).toFixed(
      2,
    ),
    experience_db: differenceText(of(arm, 'experience_db'), of(STOCK, 'experience_db')),
    of_foreknowing_pct: ((100 * gained(arm)) / gained(FOREKNOWING)).toFixed(0),
    of_bound_pct: ((100 * gained(arm)) / gained(BOUND)).toFixed(0),
  }));
}
