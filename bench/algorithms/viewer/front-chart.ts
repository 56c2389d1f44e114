import * as Plot from '@observablehq/plot';
import { Markup } from '../../../emulation/ground/drawing/html.ts';
import { svg } from '../../../emulation/ground/drawing/svg.ts';
import { KNOWING, type ViewerFront } from './front.ts';

const COLUMNS = 3;
const PANEL = { width: 360, height: 300 };

/**
 * Draws one panel for each set of traces: SSIM over stalled time. `names` are the arms' labels. Better results are
 * further up and further left.
 */
export function frontChart(fronts: readonly ViewerFront[], names: Readonly<Record<string, string>>): Markup {
  const [width, height] = [COLUMNS * PANEL.width, Math.ceil(fronts.length / COLUMNS) * PANEL.height];
  const panels = fronts.map((front, index) => {
    const [x, y] = [(index % COLUMNS) * PANEL.width, Math.floor(index / COLUMNS) * PANEL.height];
    return drawPanel(front, names).text.replace('<svg', `<svg x="${x}" y="${y}"`);
  });
  return new Markup(
    `<svg role="img" aria-label="SSIM against time stalled, by trace set and algorithm" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-size="12">${panels.join('')}</svg>`,
  );
}

function drawPanel(
  { set, traces, places, points }: ViewerFront,
  names: Readonly<Record<string, string>>,
): Markup {
  const shown = points.map((point) => ({
    ...point,
    name: names[point.arm] ?? point.arm,
    kind: point.arm === KNOWING ? 'limit' : point.arm.startsWith('dashjs') ? 'stock' : 'ours',
  }));
  const at = { x: 'stall_points', y: 'ssim_db' } as const;
  return svg(`${set}: SSIM against time stalled`, {
    ...PANEL,
    marginLeft: 46,
    marginTop: 40,
    marginRight: 20,
    x: {
      label: 'time stalled (%)',
      grid: true,
      nice: true,
      inset: 16,
      labelAnchor: 'center',
    },
    y: { label: 'SSIM (dB)', grid: true, nice: true, inset: 16 },
    symbol: { domain: ['stock', 'ours', 'limit'], range: ['square', 'circle', 'star'] },
    color: { domain: ['stock', 'ours', 'limit'], range: ['var(--arm-0)', 'var(--arm-1)', 'var(--arm-2)'] },
    marks: [
      Plot.dot(shown, { ...at, symbol: 'kind', fill: 'kind', r: 4.5 }),
      Plot.text(shown, { ...at, text: 'name', dy: -10, fontSize: 10, fill: 'currentColor' }),
      Plot.text([`${set}: ${traces} traces, ${places} places`], {
        ...{ frameAnchor: 'top', dy: -30, fontSize: 12, fontWeight: 'bold', fill: 'currentColor' },
      }),
    ],
  });
}
