import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { readJson } from '../../../ground/files/read-json.ts';
import { checkAnySettings, readManifest } from '../../../harness/runs/manifest.ts';
import { experimentLines, writeExperiment } from './write-experiment.ts';
import type { LinkRun } from '../link-run.ts';
import { tableFiles } from '../table.ts';
import type { LinkResult } from './link-result.ts';
import { validity, validityLine } from '../tcp/validity.ts';
import {
  linkCell,
  plannedExperiment,
  plannedLinks,
  makeTable,
  type WorldSettings,
} from '../world-settings.ts';

interface Played {
  readonly run: LinkRun;
  readonly result: LinkResult;
}

/** Writes the results of an experiment, or of each seed of a table, if all links have been run. */
export function reportWorld(outDir: string): void {
  const { settings, seed } = read(outDir);
  for (let k = 1; k <= settings.runs; k++) {
    const played = allPlayed(outDir, settings, seed, k);
    if (!played) continue;
    const experiment = plannedExperiment(settings, seed + k - 1);
    const folder = experiment ? outDir : join(outDir, String(seed + k - 1));
    mkdirSync(folder, { recursive: true });
    if (experiment) writeExperiment(folder, experiment, rowsByLink(played), settings);
    else replaceFiles(folder, tableFiles(makeTable(settings), playedRuns(played), rowsByLink(played)));
    if (settings.hours)
      replaceFiles(folder, { 'validity.json': asJson(validity(playedRuns(played), playedResults(played))) });
  }
}

/** Returns the results as lines, and the command to run next. */
export function worldLines(outDir: string): string[] {
  const { settings, seed } = read(outDir);
  const seeds = Array.from({ length: settings.runs }, (_, index) =>
    allPlayed(outDir, settings, seed, index + 1),
  );
  const whole = seeds.flatMap((played) => (played ? [played] : []));
  const [first] = whole;
  if (!first) return ['not all links are played: --resume plays the others, or merge puts shards together'];
  const { patience = 'endless' } = settings.world;
  const experiment = plannedExperiment(settings, seed);
  return [
    ...(settings.hours ? whole.map((played) => validityLine(playedResults(played))) : []),
    `the viewers' patience: ${patience}`,
    ...(experiment
      ? [
          ...experimentLines(experiment, rowsByLink(first)),
          `npm run experiment -- analyze ${join(outDir, `sessions.${settings.format}`)}`,
        ]
      : [`${whole.length} of ${seeds.length} seeds are whole`, `npm run experiment -- world ${outDir}`]),
  ];
}

function read(outDir: string): { readonly settings: WorldSettings; readonly seed: number } {
  const checked = (value: unknown) => checkAnySettings(value) as WorldSettings;
  const { experiment: settings, seed } = readManifest(outDir, checked);
  return { settings, seed };
}

/** Reads all links of a seed, in the order of `plannedLinks`; undefined if a link is missing. */
function allPlayed(outDir: string, settings: WorldSettings, seed: number, k: number): Played[] | undefined {
  const links = plannedLinks(settings, seed, k).map((run) => ({
    run,
    file: join(outDir, 'runs', linkCell(run), String(k), 'link.json'),
  }));
  if (!links.every(({ file }) => existsSync(file))) return undefined;
  return links.map(({ run, file }) => ({ run, result: readJson(file, (value) => value as LinkResult) }));
}

const rowsByLink = (played: readonly Played[]) => played.map(({ result }) => result.rows);
const playedRuns = (played: readonly Played[]) => played.map(({ run }) => run);
const playedResults = (played: readonly Played[]) => played.map(({ result }) => result);
