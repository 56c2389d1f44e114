import type { StudyRequest, Settings } from '../../harness/runs/study.ts';
import { WORLD, type World } from './demand.ts';
import { DESIGNS, LINKS, type DesignName } from './designs.ts';
import { experimentRuns, worldExperiment, type WorldExperiment } from './experiment.ts';
import type { LinkRun } from './link-run.ts';
import { METRICS, type Metric } from './session-row.ts';
import { tableDesigns, tableRuns, type Table } from './table.ts';
import { HOUR_S, playedHours, TCP_WORLD, WHOLE_DAY, type DayHours } from './tcp/real-time.ts';
import type { Treatment } from './treatments.ts';
import type { FORMATS, WORLD_OPTIONS } from './world-options.ts';

export interface WorldSettings extends Settings {
  readonly world: World;
  readonly days: number;
  /**
   * The design of one experiment, or `table` for every design, seed by seed, as `npm run experiment -- world` reads it.
   */
  readonly design: DesignName | 'table';
  /** The designs in a table; absent for a single experiment. */
  readonly designs?: readonly DesignName[];
  readonly treatments: readonly Treatment[];
  /** The number of days without treatment before the experiment. */
  readonly baseline_days: number;
  readonly format: (typeof FORMATS)[number];
  readonly metrics: readonly Metric[];
  /** The hours of each day that are played over TCP; absent in virtual time. */
  readonly hours?: DayHours;
}

export const ABOUT = {
  name: 'world',
  about: 'many sessions on two congested links, and the truth of treating all',
  figure: 'Unbiased Experiments §4',
} as const;

/** The paper's baseline of a week (§4.1), which has days of each kind. */
const BASELINE_DAYS = 7;
/**
 * The design that is not possible over TCP. Its wash-out is one hour, but over TCP a session takes up to three hours of
 * the load curve's clock.
 */
const NOT_OVER_TCP: DesignName = 'switchback-hours';
const DAY_S = 86_400;

type Asked = StudyRequest<typeof WORLD_OPTIONS>;

/**
 * Completes the options with the settings of a resumed folder (`before`), or with defaults. Throws an Error of one line
 * if options contradict each other.
 */
export function worldSettings(asked: Asked, before: WorldSettings | undefined): WorldSettings {
  const overTcp = asked.place?.backend === 'light';
  const table = asked.table ?? before?.design === 'table';
  const designs = designsAsked(asked, table, overTcp) ?? before?.designs ?? tableDesigns(overTcp);
  check(asked, table ? designs : [asked.design ?? 'paired'], table, overTcp);
  const design = table ? 'table' : (asked.design ?? before?.design ?? 'paired');
  const days = asked.days ?? before?.days ?? (overTcp ? 1 : 5);
  const hours = asked.hours ?? before?.hours ?? WHOLE_DAY;
  return {
    ...ABOUT,
    runs: asked.runs ?? before?.runs ?? 1,
    seconds: overTcp ? HOUR_S * playedHours(days, hours).length : days * DAY_S,
    world: makeDemand(asked, before?.world ?? (overTcp ? TCP_WORLD : WORLD)),
    days,
    design,
    ...(table && { designs }),
    treatments: asked.treatment
      ? [asked.treatment]
      : (before?.treatments ?? (table ? ['sammy', 'cap'] : ['sammy'])),
    // Over TCP, days before an experiment are played only on request, because a link takes eight minutes per day.
    baseline_days:
      asked['baseline-days'] ??
      before?.baseline_days ??
      (design === 'paired' && !overTcp ? BASELINE_DAYS : 0),
    format: asked.format ?? before?.format ?? 'csv',
    metrics: asked.metrics ?? before?.metrics ?? METRICS,
    ...(overTcp && { hours }),
  };
}

/**
 * The designs that `--design` selects for a table; undefined for all. Throws an Error of one line if a table cannot
 * contain the design.
 */
function designsAsked({ design }: Asked, table: boolean, overTcp: boolean): DesignName[] | undefined {
  if (!table || design === undefined) return undefined;
  const all = tableDesigns(overTcp);
  if (all.includes(design)) return [design];
  throw new Error(`world: --table supports the designs ${all.join(', ')}, but not ${design}`);
}

function check(asked: Asked, designs: readonly DesignName[], table: boolean, overTcp: boolean): void {
  if (asked.hours !== undefined && !overTcp) throw new Error('world: --hours needs --backend light');
  if (asked.design === NOT_OVER_TCP && overTcp)
    throw new Error(
      `--design ${NOT_OVER_TCP}: over TCP a session takes up to three hours of the clock, more than the wash-out`,
    );
  if (!table && asked.runs !== undefined) throw new Error('world: --runs needs --table');
  if (asked['baseline-days'] !== undefined && !designs.includes('paired'))
    throw new Error('world: --baseline-days needs --design paired');
  if (table && (asked.format !== undefined || asked.metrics !== undefined))
    throw new Error('world: --format and --metrics do not apply to --table');
}

/** Endless patience is omitted, so that the settings equal those of older manifests, which have no patience. */
function makeDemand({ patience, 'sessions-per-hour': sessionsPerHour }: Asked, base: World): World {
  const { patience: usual, ...rest } = base;
  const chosen = patience ?? usual ?? 'endless';
  return {
    ...rest,
    sessionsPerHour: sessionsPerHour ?? base.sessionsPerHour,
    ...(chosen !== 'endless' && { patience: chosen }),
  };
}

/** Plans the experiment, its baseline, and the runs for its true effect; undefined for a table. */
export function plannedExperiment(
  { design, treatments, world, days, baseline_days, hours }: WorldSettings,
  seed: number,
): WorldExperiment | undefined {
  const [treatment] = treatments;
  if (design === 'table' || !treatment) return undefined;
  return worldExperiment({ world, days, seed, treatment }, design, {
    baselineDays: baseline_days,
    // Over TCP, runs take real time, so only the experiment's own links are played for the true effect.
    truthLinks: hours ? DESIGNS[design].links : LINKS,
  });
}

/** Lists the runs of links for the `k`th seed. */
export function plannedLinks(settings: WorldSettings, seed: number, k: number): LinkRun[] {
  const own = seed + k - 1;
  const experiment = plannedExperiment(settings, own);
  return experiment ? experimentRuns(experiment) : tableRuns(makeTable(settings), own);
}

export const makeTable = (settings: WorldSettings): Table => {
  const { world, days, treatments, designs = [], baseline_days: baselineDays } = settings;
  return { world, days, treatments, designs, baselineDays };
};

/** The name of the cell for a run of a link. */
export const linkCell = ({ treatment, design, link }: LinkRun): string =>
  `${treatment}-${design.replaceAll(' ', '-')}-${link}`;
