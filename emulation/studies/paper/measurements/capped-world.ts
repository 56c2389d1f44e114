import { DAY_MS, START_MS } from '../../world/arrivals.ts';
import { WORLD } from '../../world/demand.ts';
import type { LinkRun } from '../../world/link-run.ts';
import { runLink } from '../../world/run-link.ts';
import type { Metric, SessionRow } from '../../world/session-row.ts';
import type { Measurement } from '../measurement.ts';
import type { Values } from '../claims/evidence.ts';
import { byAccount_se, byHour_se, hourlyMean, getHour } from './hourly.ts';

/** The experiment runs from Wednesday to Sunday, as in §4.2. The world's weeks begin on Mondays. */
const DAYS = 7;
const FIRST_DAY = 2;
/** The number of days without any cap that `--quick` simulates: Monday to Wednesday. */
const BASELINE_DAYS = FIRST_DAY + 1;
/** The day from which the paper's event study treats sessions (§5.3). */
const FRIDAY = 4;
/** The hours in which the demand exceeds nine tenths of the link. */
const PEAK_HOURS = new Set([20, 21, 22]);

const METRICS = [
  'chunk_throughput_kbps',
  'min_rtt_ms',
  'retransmit_pct',
  'play_delay_ms',
  'mean_bitrate_kbps',
] as const satisfies readonly Metric[];

/** The sessions of both links in one design. */
type Links = Readonly<Record<'north' | 'south', readonly SessionRow[]>>;

/**
 * The paired links of Unbiased Experiments §4: 95% of the sessions are capped on the north link, 5% on the south link;
 * and the same days without treatment.
 */
export const cappedWorld: Measurement = {
  name: 'capped-world',
  about:
    'Two links of 60 Mbit/s from Wednesday to Sunday, 940 sessions each a weekday; bitrates capped for 95% of the sessions on one link and 5% on the other; and the same days without any cap (in the quick form, only Wednesday). In virtual time, on a fluid model of the link. Means of hours, which weigh the same.',
  cost_s: { quick: 100, full: 100 },
  seeds: { quick: 3, full: 10 },
  measure: ({ seed, quick }) =>
    computeValues(runLinks(seed, 'paired'), runLinks(seed, 'none treated', quick ? BASELINE_DAYS : DAYS)),
};

function runLinks(seed: number, design: LinkRun['design'], days = DAYS): Links {
  const runDays = (link: LinkRun['link']) =>
    runLink({ world: WORLD, days, seed, treatment: 'cap', link, design }).filter(
      (row) => getDay(row) >= FIRST_DAY,
    );
  return { north: runDays('north'), south: runDays('south') };
}

const getDay = ({ started_at }: SessionRow): number =>
  Math.floor((Date.parse(started_at) - START_MS) / DAY_MS);
const isPeak = (row: SessionRow): boolean => PEAK_HOURS.has(getHour(row) % 24);

function computeValues({ north, south }: Links, none: Links): Values {
  const arm = (rows: readonly SessionRow[], name: string) => rows.filter((row) => row.arm === name);
  const groups: Record<string, readonly SessionRow[]> = {
    'north, capped': arm(north, 'treatment'),
    'north, not capped': arm(north, 'control'),
    'south, capped': arm(south, 'treatment'),
    'south, not capped': arm(south, 'control'),
    'north, baseline': none.north,
    'south, baseline': none.south,
  };
  // The other designs are emulated with sessions of the paired links. On each day, the sessions come from only one of
  // the links (§5.3).
  const [capped, open] = [groups['north, capped'] ?? [], groups['south, not capped'] ?? []];
  const emulated: typeof groups = {
    'event study, capped': capped.filter((row) => getDay(row) >= FRIDAY),
    'event study, not capped': open.filter((row) => getDay(row) < FRIDAY),
    'switchback, capped': capped.filter((row) => (getDay(row) - FIRST_DAY) % 2 === 0),
    'switchback, not capped': open.filter((row) => (getDay(row) - FIRST_DAY) % 2 === 1),
  };
  const split = Object.entries(groups).flatMap(([name, rows]) => [
    [`${name}, peak`, rows.filter(isPeak)] as const,
    [`${name}, off-peak`, rows.filter((row) => !isPeak(row))] as const,
  ]);
  const means = [...Object.entries({ ...groups, ...emulated }), ...split].map(
    ([name, rows]) =>
      [name, Object.fromEntries(METRICS.map((metric) => [metric, hourlyMean(rows, metric)]))] as const,
  );
  return {
    ...Object.fromEntries(means),
    'standard errors': Object.fromEntries(
      METRICS.map((metric) => [
        `${metric} by hour over by account, less 1`,
        byHour_se(capped, open, metric) / byAccount_se(capped, open, metric) - 1,
      ]),
    ),
  };
}
