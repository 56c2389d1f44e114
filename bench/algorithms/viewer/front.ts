import { basename } from 'node:path';
import { traceConditions } from '../../../emulation/studies/experiments/trace-conditions.ts';
import { readTraces } from '../../../emulation/network/links/trace-files/read-traces.ts';
import type { Condition } from '../../../emulation/player/records/session-settings.ts';
import { mean } from '../../../emulation/ground/statistics/bootstrap.ts';
import { seededRandom } from '../../../emulation/ground/statistics/random.ts';
import { progressPrinter } from '../../../system/progress.ts';
import { bestKnowing, sessionOutcome, type Outcome } from '../foreknowledge/attainable.ts';
import { play, traced, type Film } from '../play.ts';

/** What viewers have on a set of traces: each arm, and a planner who knows the network. */
export interface ViewerFront {
  readonly set: string;
  readonly traces: number;
  readonly places: number;
  /** Places without a picture, which are left out. */
  readonly left_out: number;
  readonly points: readonly ({ readonly arm: string } & Outcome)[];
}

export interface FrontAsked {
  readonly arms: readonly string[];
  /** Random places of each trace. */
  readonly places: number;
  readonly seed: number;
  readonly seconds: number;
  /** So many places the planner plays, spread over the set: each takes it seconds. */
  readonly known: number;
}

export const STOCK = 'dashjs';
export const KNOWING = 'knows the network';
const MEASURES = ['stall_points', 'ssim_db', 'experience_db'] as const;

/**
 * Plays stock dash.js and the arms at random places of a file's traces. The planner plays some of the places only: what is
 * told of it is its mean difference to stock there, added to stock's mean over all places.
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
    points: arms.map((arm) => ({ arm, ...pointOf(found, arm) })),
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

/** Of the places where the arm played: their mean difference to stock, and stock's mean over all. */
export function pointOf(found: readonly ReadonlyMap<string, Outcome>[], arm: string): Outcome {
  const valueOf = (measure: keyof Outcome): number => {
    const stock = mean(found.map((outcomes) => outcomes.get(STOCK)?.[measure] ?? NaN));
    const differences = found.flatMap((outcomes) => {
      const own = outcomes.get(arm);
      return own ? [own[measure] - (outcomes.get(STOCK)?.[measure] ?? NaN)] : [];
    });
    return stock + mean(differences);
  };
  const [stall_points, ssim_db, experience_db] = MEASURES.map(valueOf);
  return { stall_points: stall_points ?? NaN, ssim_db: ssim_db ?? NaN, experience_db: experience_db ?? NaN };
}
