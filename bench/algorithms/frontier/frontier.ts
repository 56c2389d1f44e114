import type { Arm } from '../../../emulation/player/arms/arm.ts';
import { armNamed } from '../../../emulation/player/arms/index.ts';
import { cellular } from '../../../emulation/network/links/trace-files/read-traces.ts';
import { readTrace } from '../../../emulation/network/links/traces.ts';
import { readSettings } from '../../../emulation/player/model/player/settings.ts';
import { Timeline } from '../../../emulation/player/model/player/timeline.ts';
import type { SimulatedNetwork, SimulatedResult } from '../../../emulation/player/model/simulated-session.ts';
import { interval95, mean } from '../../../emulation/ground/statistics/bootstrap.ts';
import { seededRandom } from '../../../emulation/ground/statistics/random.ts';
import { progressPrinter } from '../../../system/progress.ts';
import { smooth } from '../../../src/pace/smooth.ts';
import { play, traced, type Film } from '../play.ts';
import { leastThroughput } from './least-of.ts';

/**
 * How low can chunk throughput be on links that are fast and vary, and at what price for the viewer? Each policy, with
 * ever lower constants, beside the least that anybody could have who knows the network: the same segments as without a
 * pace, each as late as it may come (latest-schedule.ts).
 */
const LTE = [
  'ATT-LTE-driving',
  'ATT-LTE-driving-2016',
  'TMobile-LTE-driving',
  'TMobile-LTE-short',
  'Verizon-LTE-driving',
  'Verizon-LTE-short',
];
const PLACES = 20;
const SEED = 31;
const UNPACED = 'initial-only';
const KNOWING = 'knows the network';

const withPace = (name: string, sammy: Arm['sammy']): Arm => ({
  name,
  about: '',
  sammy: { ...armNamed('sammy-paper').sammy, ...sammy },
});
const POLICIES: readonly Arm[] = [
  { ...armNamed('sammy-paper'), name: 'Algorithm 1, 3.2 and 2.8' },
  ...[
    [2.4, 2],
    [2, 1.5],
    [1.5, 1.2],
    [1.2, 1],
  ].map(([c0 = 0, c1 = 0]) => withPace(`Algorithm 1, ${c0} and ${c1}`, { c0, c1 })),
  ...[20, 15, 10, 6].map((reserve_s) =>
    withPace(`smooth, reserve ${reserve_s} s`, { pace: smooth({ reserve_s }) }),
  ),
  ...[1, 0.8].map((ample) => withPace(`smooth, ample ${ample}`, { pace: smooth({ ample }) })),
];

/** One session beside the same without a pace. */
interface Point {
  readonly trace: string;
  readonly throughput_pct: number;
  readonly stalled_points: number;
  readonly ssim_db: number;
}

/** A row for each policy, means over traces and places with intervals clustered by trace; and for each trace the least that is possible. */
export async function frontier(film: Film, seconds: number) {
  const points = new Map<string, Point[]>();
  const print = progressPrinter();
  const random = seededRandom(SEED);
  for (const [index, trace] of LTE.entries()) {
    const link = cellular(trace);
    const { duration_ms } = await readTrace({ kind: 'trace', downlink: trace, uplink: trace }, 'downlink');
    const network = await traced({ name: trace, link, duration_ms });
    for (let place = 0; place < PLACES; place++) {
      const here = { ...network, capacity: network.capacity.shiftedTo(duration_ms * random()) };
      for (const [policy, point] of sessionsAt(trace, film, here, seconds))
        points.set(policy, [...(points.get(policy) ?? []), point]);
      print({
        task: 'Playing at random places',
        fraction: (index + (place + 1) / PLACES) / LTE.length,
      });
    }
  }
  print.end();
  const least = points.get(KNOWING) ?? [];
  return {
    policies: [...points].map(([policy, of]) => ({
      policy,
      throughput_pct: told(of, 'throughput_pct', 0),
      of_possible_pct: (
        (100 * meanOfPoints(of, 'throughput_pct')) /
        meanOfPoints(least, 'throughput_pct')
      ).toFixed(0),
      stalled_points: told(of, 'stalled_points', 2),
      ssim_db: told(of, 'ssim_db', 2),
    })),
    traces: LTE.map((trace) => ({
      trace,
      ...Object.fromEntries(
        [...points].map(([policy, of]) => [
          policy,
          meanOfPoints(
            of.filter((point) => point.trace === trace),
            'throughput_pct',
          ).toFixed(0),
        ]),
      ),
    })),
  };
}

function sessionsAt(
  trace: string,
  film: Film,
  network: SimulatedNetwork,
  seconds: number,
): [string, Point][] {
  const unpaced = play(UNPACED, film, network, seconds);
  const buffers = readSettings({ arm: armNamed(UNPACED), film, seconds }, new Timeline(film).end_s);
  const without_kbps = chunkThroughput(unpaced);
  const point = (kbps: number, { summary }: SimulatedResult): Point => ({
    trace,
    throughput_pct: 100 * (kbps / without_kbps - 1),
    stalled_points: 100 * (summary.rebuffer_ratio - unpaced.summary.rebuffer_ratio),
    ssim_db: (summary.mean_ssim_db ?? NaN) - (unpaced.summary.mean_ssim_db ?? NaN),
  });
  return [
    [KNOWING, point(leastThroughput(unpaced, network.capacity, buffers, seconds), unpaced)],
    ...POLICIES.map((arm): [string, Point] => {
      const paced = play(arm, film, network, seconds);
      return [arm.name, point(chunkThroughput(paced), paced)];
    }),
  ];
}

/** The chunk throughput of the video, kbit/s: all bytes over all download time (Sammy App. A). */
function chunkThroughput({ decisions }: SimulatedResult): number {
  const video = decisions.filter(({ media_type }) => media_type === 'video');
  const bits = video.reduce((sum, { size_bytes }) => sum + 8 * size_bytes, 0);
  return bits / video.reduce((sum, { download_ms }) => sum + download_ms, 0);
}

const meanOfPoints = (points: readonly Point[], key: Exclude<keyof Point, 'trace'>): number =>
  mean(points.map((point) => point[key]));

/** The mean, with an interval by resampling whole traces. */
function told(points: readonly Point[], key: Exclude<keyof Point, 'trace'>, digits: number): string {
  const random = seededRandom(1);
  const byTrace = LTE.map((trace) => points.filter((point) => point.trace === trace));
  const resample = () =>
    meanOfPoints(
      byTrace.flatMap(() => byTrace[Math.floor(random() * byTrace.length)] ?? []),
      key,
    );
  const signed = (value: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(digits)}`;
  const interval = interval95(resample);
  return `${signed(meanOfPoints(points, key))}${interval ? ` (${interval.map(signed).join(', ')})` : ''}`;
}
