import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { asFields } from '../../ground/files/check.ts';
import { readJson } from '../../ground/files/read-json.ts';
import { checkAnySettings, readManifest, withoutPlaces } from '../../harness/runs/manifest.ts';
import { runPath } from '../../harness/runs/study.ts';
import {
  collectValues,
  readEvidence,
  type Evidence,
  type EvidenceNamed,
  type Values,
} from './claims/evidence.ts';
import { addMeasurements } from './claims/planned.ts';
import { judgeExhibit } from './claims/verdict.ts';
import { plannedExhibits } from './exhibits/index.ts';
import { measurementNamed } from './measurements/index.ts';
import type { PaperSettings } from './paper.ts';
import { VALUES_FILE } from './seed-run.ts';

export const EVIDENCE_FOLDER = 'evidence';

/** Writes `evidence/NAME.json` for each measurement whose seeds are all finished, and `verdicts.json`. */
export function writeEvidence(outDir: string): void {
  const manifest = readManifest(outDir, (value) => checkAnySettings(value) as PaperSettings);
  const { experiment, plan, seed, commit, kernel, versions, ended, started } = manifest;
  const folder = join(outDir, EVIDENCE_FOLDER);
  mkdirSync(folder, { recursive: true });
  for (const name of experiment.measurements) {
    const ks = plan
      .filter((run) => run.startsWith(`${name}/`))
      .map((run) => Number(run.slice(name.length + 1)))
      .sort((a, b) => a - b);
    const files = ks.map((k) => join(outDir, ...runPath({ cell: name, k }), VALUES_FILE));
    if (files.length === 0 || !files.every((file) => existsSync(file))) continue;
    const bySeed = files.map((file) => readJson(file, (value) => asFields(value, 'values') as Values));
    const evidence: Evidence = {
      name,
      about: measurementNamed(name).about,
      form: experiment.form,
      command: formatCommand(name, experiment.form, seed),
      ...{ commit, kernel, node: versions.node ?? 'unknown' },
      date: (ended ?? started).slice(0, 'YYYY-MM-DD'.length),
      seeds: ks.map((k) => seed + k - 1),
      values: collectValues(bySeed),
    };
    replaceFiles(folder, { [`${name}.json`]: asJson(evidence) });
  }
  replaceFiles(outDir, { 'verdicts.json': asJson(computeVerdicts(readEvidence(folder))) });
}

const formatCommand = (name: string, form: string, seed: number): string =>
  withoutPlaces(
    [
      'npm run lab -- run paper',
      '--only',
      name,
      ...(form === 'quick' ? ['--quick'] : []),
      ...(seed === 1 ? [] : ['--seed', seed]),
    ].join(' '),
  );

/** The verdict on each exhibit with evidence, by paper and name. */
export const computeVerdicts = (evidenceNamed: EvidenceNamed): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(plannedExhibits).flatMap(([paper, exhibits]) =>
      exhibits.flatMap((planned) => {
        const exhibit = addMeasurements(planned, evidenceNamed);
        return exhibit ? [[`${paper}, ${exhibit.name}`, judgeExhibit(exhibit)]] : [];
      }),
    ),
  );

/** Formats the verdicts for the terminal. */
export function verdictLines(outDir: string): string[] {
  const folder = join(outDir, EVIDENCE_FOLDER);
  const verdicts = Object.entries(computeVerdicts(readEvidence(folder)));
  const width = Math.max(0, ...verdicts.map(([name]) => name.length));
  return [
    ...verdicts.map(([name, verdict]) => `${name.padEnd(width)}  ${verdict}`),
    `${readdirSync(folder).length} measurements in ${folder}; npm run lab -- report ${outDir} --log puts them into the gallery`,
  ];
}
