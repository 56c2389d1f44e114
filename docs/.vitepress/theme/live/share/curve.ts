import { WORLD, type World } from '../../../../../emulation/studies/world/demand.ts';
import { runLink } from '../../../../../emulation/studies/world/run-link.ts';
import type { Metric, SessionRow } from '../../../../../emulation/studies/world/session-row.ts';
import type { Treatment } from '../../../../../emulation/studies/world/treatments.ts';

export interface TestedTreatment {
  readonly treatment: Exclude<Treatment, 'none'>;
}

/** The means of both arms of an A/B test with this share of treated sessions; null for an empty arm. */
export interface Point {
  readonly share_pct: number;
  readonly sessions: number;
  readonly control: Means | null;
  readonly treatment: Means | null;
}

export const METRICS = {
  mean_bitrate_kbps: { title: 'bitrate', unit: 'Mbit/s', per: 1000 },
  rtt_median_ms: { title: 'round trip', unit: 'ms', per: 1 },
  chunk_throughput_kbps: { title: 'throughput of chunks', unit: 'Mbit/s', per: 1000 },
} as const satisfies Partial<Record<Metric, { title: string; unit: string; per: number }>>;
export type MetricName = keyof typeof METRICS;
type Means = Readonly<Record<MetricName, number>>;

/** The shares in the order of computation: first both ends, which show the true effect, and then the middle. */
export const SHARES_PCT = [0, 100, 50, 10, 90, 30, 70, 20, 80, 40, 60] as const;
const SEED = 1;
const DAYS = 1;
/** The hours to simulate: only those around the peak of a weekday, so that a visitor waits only seconds. */
const BUSY_HOURS = [19, 20, 21, 22];
const EVENING: World = {
  ...WORLD,
  load: { weekday: onlyBusy(WORLD.load.weekday), weekend: WORLD.load.weekend },
};

function onlyBusy(load: readonly number[]): number[] {
  return load.map((share, hour) => (BUSY_HOURS.includes(hour) ? share : 0));
}

/** Simulates the same evening once per share. The same viewers come each time; only the treated ones differ. */
export function* curve({ treatment }: TestedTreatment): Generator<Point> {
  for (const share_pct of SHARES_PCT) {
    const run = { world: EVENING, link: 'north', days: DAYS, seed: SEED, treatment, design: 'ab' } as const;
    const rows = runLink({ ...run, allocation: share_pct / 100 });
    yield { share_pct, sessions: rows.length, ...meanByArm(rows) };
  }
}

function meanByArm(rows: readonly SessionRow[]): Pick<Point, 'control' | 'treatment'> {
  const of = (arm: string): Means | null => {
    const own = rows.filter((row) => row.arm === arm);
    if (own.length === 0) return null;
    const entries = (Object.keys(METRICS) as MetricName[]).map((name) => {
      const values = own.flatMap(({ metrics }) => metrics[name] ?? []);
      return [name, values.reduce((sum, value) => sum + value, 0) / values.length] as const;
    });
    return Object.fromEntries(entries) as Means;
  };
  return { control: of('control'), treatment: of('treatment') };
}
