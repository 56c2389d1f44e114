import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { standaloneSvg } from '../../../emulation/ground/drawing/standalone-svg.ts';
import { readTraces } from '../../../emulation/network/links/trace-files/read-traces.ts';
import { tracesHash } from '../../../emulation/network/links/trace-files/traces-hash.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import type { Film } from '../play.ts';
import { frontChart } from './front-chart.ts';
import { KNOWING, viewerFront, type FrontAsked, type ViewerFront } from './front.ts';

/** The arms of the chart, with their labels. */
export const SHOWN: Readonly<Record<string, string>> = {
  dashjs: 'dash.js',
  'dashjs-no-fast-switch': 'without fast switch',
  'sammy-careful': 'default',
  'sammy-paper': 'HYB',
  'sammy-bba': 'BBA',
  'sammy-bola': 'BOLA',
  'sammy-robust-mpc-hm': 'RobustMPC',
  'sammy-scenario-mpc': 'MPC over scenarios',
  fugu: 'Fugu',
  planner: 'planner',
};

/** One set in the file of figures: the settings and the results. */
type Kept = ViewerFront & Omit<FrontAsked, 'arms' | 'places'> & { readonly traces_sha256: string };

/**
 * Writes OUT.json with the figures of each file of traces, and OUT.svg with the chart, and prints a table. The planner does
 * not depend on our algorithms: its points are reused from an existing OUT.json with the same traces and settings.
 */
export async function writeFront(
  out: string,
  files: readonly string[],
  film: Film,
  asked: FrontAsked,
): Promise<void> {
  const before = existsSync(`${out}.json`) ? (JSON.parse(readFileSync(`${out}.json`, 'utf8')) as Kept[]) : [];
  const fronts: Kept[] = [];
  for (const file of files) {
    const traces_sha256 = await tracesHash(await readTraces(file));
    const { seed, seconds, known } = asked;
    const same = { seed, seconds, known, traces_sha256 };
    const kept = before.find((each) =>
      Object.entries({ ...same, set: basename(file, '.jsonl') }).every(
        ([key, value]) => each[key as keyof Kept] === value,
      ),
    );
    const planned = kept?.points.find(({ arm }) => arm === KNOWING);
    const front = await viewerFront(file, film, { ...asked, known: planned ? 0 : known });
    fronts.push({ ...front, ...same, points: [...front.points, ...(planned ? [planned] : [])] });
    replaceFiles(dirname(out), { [`${basename(out)}.json`]: asJson(fronts) });
  }
  const names = { ...SHOWN, [KNOWING]: KNOWING };
  console.log(frontTable(fronts, names));
  const picture = standaloneSvg(frontChart(fronts, names));
  if (picture !== undefined) replaceFiles(dirname(out), { [`${basename(out)}.svg`]: picture });
}

/** Formats the results as a Markdown table: one row per arm, and time stalled and SSIM for each set. */
function frontTable(fronts: readonly ViewerFront[], names: Readonly<Record<string, string>>): string {
  const arms = fronts[0]?.points.map(({ arm }) => arm) ?? [];
  const cell = ({ points }: ViewerFront, arm: string): string => {
    const point = points.find((each) => each.arm === arm);
    return point ? `${point.stall_points.toFixed(2)}, ${point.ssim_db.toFixed(2)}` : '';
  };
  return [
    ['stalled %, SSIM dB', ...fronts.map(({ set }) => set)],
    ['---', ...fronts.map(() => '---')],
    ...arms.map((arm) => [names[arm] ?? arm, ...fronts.map((front) => cell(front, arm))]),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}
