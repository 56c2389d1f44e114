import * as Plot from '@observablehq/plot';
import type { Markup } from '../../../ground/drawing/html.ts';
import { plotScales, type Look } from '../../../ground/drawing/palette.ts';
import { svg } from '../../../ground/drawing/svg.ts';
import type { MeasuredPacket } from '../../../network/schemes/measured.ts';
import type { PantheonResult } from '../run-files.ts';
import { computeSpread, type Run } from './ellipse.ts';

/** A scheme's runs on one path. */
export interface SchemeRuns {
  readonly scheme: string;
  readonly results: readonly PantheonResult[];
}

export const listRuns = ({ results }: SchemeRuns): Run[] =>
  results.flatMap(({ fault, statistics: { throughput_mbps, delay_p95_ms } }) =>
    fault === null && delay_p95_ms !== null ? [{ throughput_mbps, delay_ms: delay_p95_ms }] : [],
  );

/** Pantheon, Figure 3.2: the mean of each scheme's runs with its ellipse; better is up and to the right. */
export function tradeoffChart(title: string, schemes: readonly SchemeRuns[], looks: readonly Look[]): Markup {
  const spreads = schemes.flatMap((each) => {
    const runs = listRuns(each);
    return runs.length === 0 ? [] : [{ scheme: each.scheme, ...computeSpread(runs) }];
  });
  const means = spreads.map(({ scheme, mean }) => ({ scheme, ...mean }));
  const outlines = spreads.flatMap(({ scheme, outline }) => outline.map((point) => ({ scheme, ...point })));
  return svg(`throughput against 95th-percentile one-way delay on ${title}`, {
    width: 1080,
    height: 520,
    marginLeft: 56,
    marginTop: 34,
    marginBottom: 44,
    marginRight: 110,
    x: {
      type: 'log',
      reverse: true,
      label: '95th-percentile one-way delay (ms), lower is better',
      labelAnchor: 'center',
      grid: true,
      nice: true,
      tickFormat: '~s',
    },
    y: { label: `${title}: throughput (Mbit/s)`, grid: true, zero: true, nice: true },
    ...plotScales(looks),
    marks: [
      Plot.line(
        outlines.filter(({ delay_ms }) => delay_ms > 0),
        {
          ...{ x: 'delay_ms', y: 'throughput_mbps', z: 'scheme', stroke: 'scheme' },
          ...{ fill: 'scheme', fillOpacity: 0.15, strokeOpacity: 0.6 },
        },
      ),
      Plot.dot(means, { x: 'delay_ms', y: 'throughput_mbps', fill: 'scheme', symbol: 'scheme', r: 5 }),
      Plot.text(means, {
        ...{ x: 'delay_ms', y: 'throughput_mbps', text: 'scheme', dx: 9 },
        ...{ textAnchor: 'start', fill: 'currentColor' },
      }),
    ],
  });
}

const BIN_S = 0.25;

/** The throughput and the mean delay of each flow in each quarter of a second. */
export function binPackets(packets: readonly MeasuredPacket[], { seconds }: { readonly seconds: number }) {
  const bins = new Map<
    string,
    { flow: string; t_s: number; bits: number; delay_ms: number; packets: number }
  >();
  for (const { flow, sent_s, delay_ms, bytes } of packets) {
    if (sent_s < 0 || sent_s >= seconds) continue;
    const index = Math.floor(sent_s / BIN_S);
    const key = `${flow} ${index}`;
    const bin = bins.get(key) ?? {
      flow: `flow ${flow + 1}`,
      t_s: index * BIN_S,
      bits: 0,
      delay_ms: 0,
      packets: 0,
    };
    bin.bits += bytes * 8;
    bin.delay_ms += delay_ms;
    bin.packets++;
    bins.set(key, bin);
  }
  return [...bins.values()]
    .map(({ flow, t_s, bits, delay_ms, packets: count }) => ({
      ...{ flow, t_s, mbps: bits / BIN_S / 1e6, delay_ms: delay_ms / count },
    }))
    .sort((one, other) => one.t_s - other.t_s);
}

/** Pantheon, Figure 3.5b: throughput and delay of each flow over the time of a run. */
export function timeCharts(
  { cell, seconds, from_s }: PantheonResult,
  packets: readonly MeasuredPacket[],
): readonly Markup[] {
  const bins = binPackets(packets, { seconds });
  const colors = Array.from({ length: cell.flows }, (_, index) => `var(--arm-${1 + (index % 7)})`);
  const domain = colors.map((_, index) => `flow ${index + 1}`);
  const chart = (value: 'mbps' | 'delay_ms', label: string) =>
    svg(`${label} of ${cell.name} over time`, {
      ...{ width: 530, height: 170, marginBottom: 36, marginLeft: 44 },
      x: { label: 'time (s)', domain: [0, seconds] },
      y: { label: `${cell.name}: ${label}`, zero: true, grid: true, ticks: 4 },
      color: { domain, range: colors },
      marks: [
        Plot.rectY([{ from: 0, to: from_s }], { x1: 'from', x2: 'to', fill: 'var(--panel)' }),
        Plot.ruleY([0], { stroke: 'var(--rule)' }),
        Plot.line(bins, { x: 't_s', y: value, stroke: 'flow', strokeWidth: 1.4 }),
      ],
    });
  return [chart('mbps', 'throughput (Mbit/s)'), chart('delay_ms', 'mean one-way delay (ms)')];
}
