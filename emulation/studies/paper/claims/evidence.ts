import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asFields, asList, asNumber, asNumberOrNull, asText } from '../../../ground/files/check.ts';
import { readJson } from '../../../ground/files/read-json.ts';

/**
 * The values of a measurement for one seed, by condition and by metric; null for a missing value. A metric's name
 * contains its unit.
 */
export type Values = Readonly<Record<string, Readonly<Record<string, number | null>>>>;

/** `docs/results/evidence/NAME.json`: a measurement's results for each seed, and how they were made. */
export interface Evidence {
  readonly name: string;
  /** A sentence about the measurement: its subject, its place and the number of repetitions. */
  readonly about: string;
  readonly form: 'quick' | 'full';
  /** The command that creates this file again. */
  readonly command: string;
  readonly commit: string;
  readonly kernel: string;
  readonly node: string;
  /** The day on which the measurement ended, such as '2026-11-26'. */
  readonly date: string;
  readonly seeds: readonly number[];
  /** For each condition and metric a value per seed, in the order of the seeds. */
  readonly values: Readonly<Record<string, Readonly<Record<string, readonly (number | null)[]>>>>;
}

/** Finds the committed evidence of a measurement; undefined if it has not been measured. */
export type EvidenceNamed = (name: string) => Evidence | undefined;

/** Reads all evidence of a folder. Throws an Error of one line that names the file and the problem. */
export function readEvidence(folder: string): EvidenceNamed {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const all = new Map(files.map((file) => [file.slice(0, -'.json'.length), join(folder, file)]));
  const read = new Map([...all].map(([name, file]) => [name, readJson(file, checkEvidence)]));
  return (name) => read.get(name);
}

export function checkEvidence(value: unknown): Evidence {
  const evidence = asFields(value, 'evidence');
  for (const field of ['name', 'about', 'form', 'command', 'commit', 'kernel', 'node', 'date'])
    asText(evidence[field], field);
  const seeds = asList(evidence.seeds, 'seeds').map((seed) => asNumber(seed, 'a seed'));
  for (const [condition, metrics] of Object.entries(asFields(evidence.values, 'values')))
    for (const [metric, list] of Object.entries(asFields(metrics, condition))) {
      const what = `${condition}, ${metric}`;
      const values = asList(list, what).map((each) => asNumberOrNull(each, what));
      if (values.length !== seeds.length)
        throw new Error(`${what}: ${values.length} values of ${seeds.length} seeds`);
    }
  return value as Evidence;
}

/** Combines the values of all seeds. */
export function collectValues(bySeed: readonly Values[]): Evidence['values'] {
  const conditions = [...new Set(bySeed.flatMap((values) => Object.keys(values)))];
  return Object.fromEntries(
    conditions.map((condition) => {
      const metrics = [...new Set(bySeed.flatMap((values) => Object.keys(values[condition] ?? {})))];
      return [
        condition,
        Object.fromEntries(
          metrics.map((metric) => [
            metric,
            bySeed.map((values) => rounded(values[condition]?.[metric] ?? null)),
          ]),
        ),
      ];
    }),
  );
}

/** The number of significant digits that are stored; more would be noise, and make the file larger. */
const DIGITS = 6;
const rounded = (value: number | null): number | null =>
  value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(DIGITS));
