import type { Figure } from '../../../emulation/ground/drawing/figure.ts';
import { congestionColor } from '../charts/colors.ts';
import type { CellRun, Findings } from '../figures/figure.ts';
import { figures } from '../figures/index.ts';
import type { PaperSettings } from './settings.ts';

/** A figure of Updating the Theory of Buffer Sizing, drawn from our runs. */
export interface Drawn {
  readonly number: number;
  readonly figure: Figure;
  readonly findings: Findings;
}

const SOURCE = "the switch's postcards, and the kernel's tcp_probe, on one clock";

/** Draws the figures that have a finished run, in the order of the paper. */
export const drawFigures = (runs: readonly CellRun[], settings: PaperSettings): Drawn[] =>
  figures.flatMap(({ number, title, caption, columns, cells, draw, findings }) => {
    const charts = draw(runs, settings);
    if (charts.length === 0) return [];
    const names = [
      ...new Set(cells(settings.form, settings.others ?? []).map(({ congestion }) => congestion)),
    ];
    const looks = names.map((name) => ({ name, color: congestionColor(name), symbol: 'circle' as const }));
    const figure = {
      ...{ title, caption, charts, source: SOURCE },
      ...(columns !== undefined && { columns }),
      ...(looks.length > 1 && { legend: looks }),
    };
    return [{ number, figure, findings: findings?.(runs, settings) ?? {} }];
  });
