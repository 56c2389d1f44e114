import * as Plot from '@observablehq/plot';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import { makeCell } from '../paper/cell.ts';
import { congestionColor } from '../charts/colors.ts';
import type { BufferFigure } from './figure.ts';

const FLOWS = 16;
const BIN_PACKETS = 2;
const cell = makeCell('reno', FLOWS, 1);
const spread = makeCell('reno', FLOWS, 1, { rtts: 'spread' });

export const figure7: BufferFigure = {
  number: 7,
  title: `Windows of ${FLOWS} flows`,
  caption:
    'How often the window of each flow had each size, at the ACKs that its sender received; the darker the oftener. Line: ' +
    'a fair share of link and buffer, (BDP + B)/n. Left: one round trip for all; right: spread by ±10%. Paper: Figure 7.',
  columns: 2,
  cells: () => [cell, spread],
  draw: (runs, { bdp_packets }) =>
    [cell, spread].flatMap((each) => {
      const run = runs.find(({ cell: of, k }) => k === 1 && JSON.stringify(of) === JSON.stringify(each));
      if (!run) return [];
      const bins = run.result.flows.flatMap(({ flow, windows }) => {
        const shares = new Map<number, number>();
        const all = windows.reduce((sum, [, acks]) => sum + acks, 0);
        for (const [packets, acks] of windows) {
          const bin = Math.floor(packets / BIN_PACKETS);
          shares.set(bin, (shares.get(bin) ?? 0) + acks / all);
        }
        return [...shares].map(([bin, share]) => ({
          flow: flow + 1,
          from: bin * BIN_PACKETS,
          to: (bin + 1) * BIN_PACKETS,
          share,
        }));
      });
      const most = Math.max(...bins.map(({ share }) => share));
      return [
        svg(`windows of ${FLOWS} flows`, {
          width: 540,
          height: 320,
          marginTop: 20,
          x: { label: 'window (packets)', zero: true },
          y: { label: 'flow', domain: run.result.flows.map(({ flow }) => flow + 1) },
          marks: [
            Plot.rect(bins, {
              x1: 'from',
              x2: 'to',
              y: 'flow',
              fill: congestionColor('reno'),
              fillOpacity: ({ share }: { share: number }) => Math.sqrt(share / most),
            }),
            Plot.ruleX([(bdp_packets + run.buffer_packets) / FLOWS], { stroke: 'currentColor' }),
          ],
        }),
      ];
    }),
};
