import type { Exhibit } from '../../../emulation/ground/drawing/figure.ts';
import { readManifest, withoutPlaces, type Manifest } from '../../../emulation/harness/runs/manifest.ts';
import { drawFigures } from './draw-figures.ts';
import { figurePictures } from './pictures.ts';
import { readRuns } from './read-runs.ts';
import { checkPaperSettings, type PaperSettings } from './settings.ts';
import { makeTargets, type Target } from './targets.ts';

/** The marker of the table of targets in the log. The marker of figure N is `buffer-figure-N`. */
const TARGETS = 'buffer-targets';

/** Returns the parts of the log that come from the runs in `outDir`: the targets, and each figure's pictures. */
export function bufferExhibits(outDir: string): Exhibit[] {
  const manifest = readManifest(outDir, checkPaperSettings);
  const runs = readRuns(outDir, manifest.experiment);
  const targets = {
    name: TARGETS,
    table: `${targetTable(makeTargets(runs, manifest.experiment))}\n\n${exhibitSource(manifest, runs.length)}`,
    figure: undefined,
    pictures: [],
  };
  return [
    targets,
    ...drawFigures(runs, manifest.experiment).map((drawn): Exhibit => ({
      name: `buffer-figure-${drawn.number}`,
      table: '',
      figure: { ...drawn.figure, title: `Figure ${drawn.number}. ${drawn.figure.title}` },
      pictures: Object.keys(figurePictures(drawn)),
    })),
  ];
}

const targetTable = (targets: readonly Target[]): string =>
  [
    ['what', 'target', 'measured', 'met'],
    ['---', '---', '---', '---'],
    ...targets.map(({ what, target, measured, met }) => [what, target, measured, met ? 'yes' : 'no']),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

function exhibitSource(
  { command, commit, kernel, ended, removed, experiment }: Manifest<PaperSettings>,
  runs: number,
): string {
  const { seconds, from_s, base_rtt_ms, form, rate_bit_s } = experiment;
  const rounds = Math.round(((seconds - from_s) * 1000) / base_rtt_ms);
  return (
    `\`${withoutPlaces(command)}\`, commit ${commit}${ended == null ? ', unfinished' : ''}, Linux ${kernel}: the ${form} form, ` +
    `${runs} runs of ${rounds} round trips after the start-up, ${rate_bit_s / 1e6} Mbit/s and ${base_rtt_ms} ms; ` +
    `${removed.length} runs removed.`
  );
}
