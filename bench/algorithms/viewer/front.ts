import { basename } from 'node:path';
import { traceConditions } from '../../../emulation/studies/sessions/trace-conditions.ts';
import { readTraces } from '../../../emulation/network/links/trace-files/read-traces.ts';
import type { Condition } from '../../../emulation/player/records/session-settings.ts';
import { mean } from '../../../emulation/ground/statistics/bootstrap.ts';
import { seededRandom } from '../../../emulation/ground/statistics/random.ts';
import { progressPrinter } from '../../../system/progress.ts';
import { bestKnowing, sessionOutcome, type Outcome } from '../foreknowledge/outcome.ts';
import { play, traced, type Film } from '../play.ts';

/** The viewers' results on a set of traces: for each arm, and for a planner that knows the network. */
export interface ViewerFront {
  readonly set: string;
  readonly traces: number;
  readonly places: number;
  /** Number of places that are left out, because an arm played no video there. */
  readonly left_out: number;
  readonly points: readonly ({ readonly arm: string } & Outcome)[];
}

export interface FrontAsked {
  readonly arms: readonly string[];
  /** Number of random places in each trace. */
  readonly places: number;
  readonly seed: number;
  readonly seconds: number;
  /** The number of places that the planner plays, spread over the set. The planner needs seconds for each place. */
  readonly known: number;
}

export const STOCK = 'dashjs';
export const KNOWING = 'knows the network';
const MEASURES = ['stall_points', 'ssim_db', 'experience_db'] as const;

/**
 * Plays stock dash.js and the arms at random places of a file's traces. The planner plays at only some of these places.
 * Its result is its mean difference from stock at these places, plus stock's mean over all places.
 */
export async function viewerFront(path: string, film: Film, asked: FrontAsked): Promise<ViewerFront> {
  const { places, seed, known } = asked;
  const traces = await readTraces(path);
  const conditions = traceConditions(traces, places, seededRandom(seed));
  const every = Math.max(1, Math.floor(conditions.length / known));
  const print = progressPrinter();
  const found: ReadonlyMap<string, Outcome>[] = [];
  for (const [index, condition] of conditions.entries()) {
    const isKnown = index % every === 0 && index / every < known;
    const outcomes = await outcomesAt(condition, film, asked, isKnown);
    if ([...outcomes.values()].every(({ ssim_db }) => Number.isFinite(ssim_db))) found.push(outcomes);
    print({ task: `Playing ${basename(path)}`, fraction: (index + 1) / conditions.length });
  }
  print.end();
  const arms = [STOCK, ...asked.arms, ...(known > 0 ? [KNOWING] : [])];
  return {
    set: basename(path, '.jsonl'),
    traces: traces.length,
    places: conditions.length,
    left_out: conditions.length - found.length,
    points: arms.map((arm) => ({ arm, ...frontPoint(found, arm) })),
  };
}

async function outcomesAt(
  { name, link }: Condition,
  film: Film,
  { arms, seconds }: FrontAsked,
  isKnown: boolean,
): Promise<ReadonlyMap<string, Outcome>> {
  if (!link) throw new Error(`${name} has no link`);
  const network = await traced({ name, link, duration_ms: 0 });
  const played = [STOCK, ...arms].map(
    (arm) => [arm, sessionOutcome(play(arm, film, network, seconds), film, seconds)] as const,
  );
  return new Map<string, Outcome>([
    ...played,
    ...(isKnown ? [[KNOWING, bestKnowing(film, network, seconds)] as const] : []),
  ]);
}

/** The arm's mean difference from stock at the places that the arm played, plus stock's mean over all places. */
export function frontPoint(found: readonly ReadonlyMap<string, Outcome>[], arm: string): Outcome {
  const relativeMean = (measure: keyof Outcome): number => {
    const stock = mean(found.map((outcomes) => outcomes.get(STOCK)?.[measure] ?? NaN));
    const differences = found.flatMap((outcomes) => {
      const own = outcomes.get(arm);
      return own ? [own[measure] - (outcomes.get(STOCK)?.[measure] ?? NaN)] : [];
    });
    return stock + mean(differences);
  };
  const [stall_points, ssim_db, experience_db] = MEASURES.map(relativeMean);
  return { stall_points: stall_points ?? NaN, ssim_db: ssim_db ?? NaN, experience_db: experience_db ?? NaN };
}
