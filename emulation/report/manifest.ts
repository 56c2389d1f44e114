import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Experiment } from '../experiments/experiment.ts';
import { asFields, asList, asNumber, asText } from './check.ts';
import { readJson } from './read-json.ts';

/** `manifest.json`: what was run, by what, and when. */
export interface Manifest {
  /** As it was typed. */
  readonly command: string;
  readonly commit: string;
  /** Of browser, player, emulator and so on, by name. */
  readonly versions: Readonly<Record<string, string>>;
  readonly kernel: string;
  readonly seed: number;
  readonly units: unknown;
  readonly started: string;
  /** Absent or null while it is unfinished. */
  readonly ended?: string | null;
  /** Resolved: with the runs, seconds and arms that were asked for. */
  readonly experiment: Experiment;
  /** Runs whose link was out of tolerance; each was repeated. */
  readonly invalid?: readonly InvalidRun[];
}

export interface InvalidRun {
  readonly arm: string;
  readonly condition?: string | null;
  readonly k: number;
  readonly reason: string;
}

export function readManifest(outDir: string): Manifest {
  const file = join(outDir, 'manifest.json');
  if (!existsSync(file)) throw new Error(`${outDir} has no manifest.json: no experiment was run into it`);
  return readJson(file, checkManifest);
}

function checkManifest(value: unknown): Manifest {
  const manifest = asFields(value, 'a manifest');
  for (const field of ['command', 'commit', 'kernel', 'started']) asText(manifest[field], field);
  if (manifest.ended !== undefined && manifest.ended !== null) asText(manifest.ended, 'ended');
  asNumber(manifest.seed, 'seed');
  for (const [name, version] of Object.entries(asFields(manifest.versions, 'versions'))) {
    asText(version, `versions: ${name}`);
  }
  checkExperiment(manifest.experiment);
  for (const run of asList(manifest.invalid ?? [], 'invalid')) {
    const { arm, k, reason } = asFields(run, 'invalid: a run');
    asText(arm, 'invalid: arm');
    asNumber(k, 'invalid: k');
    asText(reason, 'invalid: reason');
  }
  return value as Manifest;
}

function checkExperiment(value: unknown): void {
  const experiment = asFields(value, 'experiment');
  for (const field of ['name', 'about', 'figure']) asText(experiment[field], `experiment: ${field}`);
  for (const field of ['runs', 'seconds']) asNumber(experiment[field], `experiment: ${field}`);
  const arms = asList(experiment.arms, 'experiment: arms');
  if (arms.length === 0) throw new Error('experiment: arms must name a control at least');
  for (const arm of arms) asText(arm, 'experiment: an arm');
  checkLink(experiment.link, 'experiment: link');
  for (const each of asList(experiment.conditions ?? [], 'experiment: conditions')) {
    const condition = asFields(each, 'experiment: a condition');
    const name = asText(condition.name, 'experiment: the name of a condition');
    if (condition.link !== undefined) checkLink(condition.link, `experiment: link of ${name}`);
  }
}

function checkLink(value: unknown, what: string): void {
  const link = asFields(value, what);
  asNumber(link.rtt_ms, `${what}: rtt_ms`);
  asNumber(link.queue_bytes, `${what}: queue_bytes`);
  asText(asFields(link.rate, `${what}: rate`).kind, `${what}: kind of rate`);
}
