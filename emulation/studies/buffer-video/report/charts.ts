import * as Plot from '@observablehq/plot';
import type { Markup } from '../../../ground/drawing/html.ts';
import { plotScales, treatmentLook, type Look } from '../../../ground/drawing/palette.ts';
import { svg } from '../../../ground/drawing/svg.ts';
import { percent } from '../figures.ts';
import type { HourResult } from '../run-files.ts';
import type { SiteName } from '../sites.ts';
import { addedMs, CONGESTED, findStack } from '../table.ts';

const SIZE = { width: 530, height: 280, marginLeft: 52 };
const BUFFERS_MB: Readonly<Record<SiteName, readonly number[]>> = {
  'site-1': [50, 500],
  'site-2': [25, 50, 500],
  'site-3': [50, 500],
};

const makeLooks = (names: readonly string[]): Look[] =>
  names.map((name, index) => treatmentLook(name, index));
const formatBuffer = (buffer_mb: number): string => `${buffer_mb} MB`;

/** The stacks in the charts: for each buffer size, stack B if it has this buffer, and otherwise stack A. */
const chartedStacks = (hours: readonly HourResult[], site: SiteName) =>
  hours
    .filter((hour) => hour.site === site)
    .flatMap((hour) =>
      BUFFERS_MB[site].flatMap((buffer_mb) => {
        const stack = findStack(hour, 'B', buffer_mb) ?? findStack(hour, 'A', buffer_mb);
        return stack ? [{ ...stack, hour: hour.hour, load: hour.load }] : [];
      }),
    );

/** Figures 5.3 and 5.4: the distribution of the minimum RTT in congested hours. */
export function leastRttChart(hours: readonly HourResult[], site: SiteName): Markup {
  const looks = makeLooks(BUFFERS_MB[site].map(formatBuffer));
  const points = BUFFERS_MB[site].flatMap((buffer_mb) => {
    const values = chartedStacks(hours, site)
      .filter((stack) => stack.buffer_mb === buffer_mb && stack.utilization >= CONGESTED)
      .flatMap(({ sessions }) => sessions.flatMap(({ min_rtt_ms }) => min_rtt_ms ?? []))
      .sort((one, other) => one - other);
    return values.map((ms, index) => ({
      ...{ ms, buffer: formatBuffer(buffer_mb), share: (index + 1) / values.length },
    }));
  });
  return svg(`least round trips of ${site}`, {
    ...SIZE,
    x: {
      label: `${site}: least round trip (ms)`,
      labelAnchor: 'center',
      grid: true,
      zero: true,
    },
    y: { label: 'share of sessions', domain: [0, 1], grid: true },
    ...plotScales(looks),
    marks: [Plot.line(points, { x: 'ms', y: 'share', stroke: 'buffer', strokeWidth: 1.6 })],
  });
}

/** Figure 5.5, metrics by load, and Figure 5.6, rebuffers by retransmissions. Each point is an hour. */
export function hourCharts(hours: readonly HourResult[], site: SiteName): Markup[] {
  const looks = makeLooks(BUFFERS_MB[site].map(formatBuffer));
  const points = chartedStacks(hours, site).map(({ load, buffer_mb, sessions }) => ({
    ...{ load, buffer: formatBuffer(buffer_mb) },
    retransmits: percent('retransmits', sessions),
    rebuffers: percent('rebuffers', sessions),
  }));
  const chart = (x: 'load' | 'retransmits', y: 'retransmits' | 'rebuffers', xLabel: string, yLabel: string) =>
    svg(`${yLabel} by ${xLabel} of ${site}`, {
      ...SIZE,
      x: { label: `${site}: ${xLabel}`, labelAnchor: 'center', grid: true, zero: true },
      y: { label: yLabel, grid: true, zero: true },
      ...plotScales(looks),
      marks: [Plot.dot(points, { x, y, fill: 'buffer', symbol: 'buffer', r: 4 })],
    });
  return [
    chart(
      'load',
      'retransmits',
      'load (viewers over those that can have the top bitrate)',
      'retransmitted (%)',
    ),
    chart('retransmits', 'rebuffers', 'retransmitted (%)', 'sessions with rebuffers (%)'),
  ];
}

/**
 * Figure 5.7, the queueing delay in the minimum RTT by queue, and Figure 5.8, the same delay by servers and hour, both
 * with buffers of 500 MB.
 */
export function queueCharts(hours: readonly HourResult[]): Markup[] {
  const added = (site: SiteName) =>
    chartedStacks(hours, site)
      .filter(({ buffer_mb }) => buffer_mb === Math.max(...BUFFERS_MB[site]))
      .flatMap(({ hour, load, sessions }) =>
        sessions.flatMap((session) => {
          const ms = addedMs(session);
          return ms === null
            ? []
            : [{ ms, hour: `${hour}`, load, queue: `${session.queue + 1}`, server: session.server }];
        }),
      );
  const loads = added('site-2').map(({ load }) => load);
  const extremes = [Math.min(...loads), Math.max(...loads)];
  const hourLooks = makeLooks(['least loaded', 'most loaded']);
  const byQueue = added('site-2')
    .filter(({ load }) => extremes.includes(load))
    .map((each) => ({ ...each, when: each.load === extremes[0] ? 'least loaded' : 'most loaded' }));
  const queues = Array.from({ length: 18 }, (_, index) => `${index + 1}`);
  const x = {
    label: 'added to the least round trip (ms)',
    labelAnchor: 'center',
    grid: true,
    zero: true,
  } as const;
  return [
    svg('least round trips by queue of site-2', {
      ...{ ...SIZE, height: 380, x, ...plotScales(hourLooks) },
      y: { label: 'site-2: queue', type: 'point', domain: queues },
      marks: [Plot.dot(byQueue, { x: 'ms', y: 'queue', fill: 'when', symbol: 'when', r: 3 })],
    }),
    svg('least round trips by hour and server of site-1', {
      ...{ ...SIZE, height: 380, x, ...plotScales(makeLooks(['offload', 'catalog'])) },
      y: { label: 'site-1: hour', type: 'point' },
      marks: [Plot.dot(added('site-1'), { x: 'ms', y: 'hour', fill: 'server', symbol: 'server', r: 3 })],
    }),
  ];
}

export const bufferLooks = (site: SiteName): Look[] => makeLooks(BUFFERS_MB[site].map(formatBuffer));
export const queueLooks = makeLooks(['least loaded', 'most loaded']);
export const serverLooks = makeLooks(['offload', 'catalog']);
