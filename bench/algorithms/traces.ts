import { readTraces } from '../../emulation/network/links/trace-files/read-traces.ts';
import { interval95, mean } from '../../emulation/ground/statistics/bootstrap.ts';
import { seededRandom } from '../../emulation/ground/statistics/random.ts';
import type { SessionSummary } from '../../src/session/summary.ts';
import { meanOrNaN, play, traced, type Film } from './play.ts';

export interface TraceRow {
  readonly arm: string;
  readonly ssim_db: number;
  /** Stall that the lowest rung would not have had, percentage points. */
  readonly avoidable_points: number;
  readonly switches: number;
  readonly stall_against: readonly [string, string];
  readonly ssim_against: readonly [string, string];
}

const STOCK = ['dashjs', 'dashjs-no-fast-switch'] as const;

/** Each arm on each trace of a file or folder, against stock dash.js with and without fast switch, paired by trace. */
export async function onTraces(
  path: string,
  arms: readonly string[],
  film: Film,
  seconds: number,
): Promise<TraceRow[]> {
  const networks = await Promise.all((await readTraces(path)).map(traced));
  const played = new Map<string, SessionSummary[]>();
  for (const arm of [...STOCK, 'lowest', ...arms]) {
    played.set(
      arm,
      networks.map((network) => play(arm, film, network, seconds).summary),
    );
  }
  const of = (arm: string, value: (summary: SessionSummary) => number) => (played.get(arm) ?? []).map(value);
  const stall = (arm: string) => of(arm, ({ rebuffer_ratio }) => 100 * rebuffer_ratio);
  const ssim = (arm: string) => of(arm, ({ mean_ssim_db }) => mean_ssim_db ?? 0);
  const against = (values: (arm: string) => number[], arm: string): [string, string] => [
    differenceText(values(arm), values(STOCK[0])),
    differenceText(values(arm), values(STOCK[1])),
  ];
  return [...played.keys()].map((arm) => ({
    arm,
    ssim_db: meanOrNaN(ssim(arm)),
    avoidable_points: meanOrNaN(stall(arm)) - meanOrNaN(stall('lowest')),
    switches: meanOrNaN(of(arm, ({ switches }) => switches)),
    stall_against: against(stall, arm),
    ssim_against: against(ssim, arm),
  }));
}

/** The mean of the paired differences, and its 95% interval. */
export function differenceText(ours: readonly number[], theirs: readonly number[]): string {
  const differences = ours.map((value, index) => value - (theirs[index] ?? NaN));
  const random = seededRandom(1);
  const resample = () =>
    mean(differences.map(() => differences[Math.floor(random() * differences.length)] ?? NaN));
  const interval = interval95(resample);
  const signed = (value: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`;
  return `${signed(mean(differences))}${interval ? ` (${interval.map(signed).join(', ')})` : ''}`;
}
