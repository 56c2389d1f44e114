import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { askedBaseline, askedWorld, patienceLine } from './asked-world.ts';
import { WORLD } from './demand.ts';
import type { DesignName } from './designs.ts';
import { runsOf, worldExperiment, writeExperiment } from './experiment.ts';
import { askedWritten, refuseWritten } from './files/written.ts';
import type { LinkRun } from './link-run.ts';
import { runLinks } from './run-links.ts';
import { placeFor } from '../../harness/runs/place.ts';
import { makeTable, TABLE_DESIGNS, tableDesign, type Table } from './table.ts';
import { tcpWorld } from './tcp/command.ts';
import { commandLine, WORLD_STUDY, type Values } from './words.ts';

/** The paper's, §4.1: a week, which has days of each kind. */
const BASELINE_DAYS = 7;

export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { values, command } = commandLine.parse(args);
  await world(values, command);
}

/** An experiment on two congested links, in virtual time or over real TCP, and the truth that it estimates. */
export async function world(values: Values, command: string): Promise<void> {
  if (placeFor(WORLD_STUDY, values).backend === 'light') return tcpWorld(values, command);
  if (values.hours !== undefined) throw new Error('world: --hours is of --backend light');
  if (values.shard !== undefined) throw new Error('world: --shard is of --backend light');
  const { days = 5, seed = 1, jobs = 1, treatment } = values;
  const all = { world: askedWorld(values, WORLD), days, seed };
  if (values.table) {
    const designs = values.design && [tableDesign(values.design, TABLE_DESIGNS)];
    const baselineDays = askedBaseline(values, designs ?? TABLE_DESIGNS, 0);
    refuseWritten(values);
    const { runs = 1 } = values;
    const outDir = resolve(values.out ?? join('lab-results', 'world', 'table'));
    const treatments = treatment ? [treatment] : (['sammy', 'cap'] as const);
    await table({ ...all, runs, treatments, baselineDays, ...(designs && { designs }) }, outDir, jobs);
    return;
  }
  if (values.runs !== undefined) throw new Error('world: --runs is of --table');
  const { design = 'paired' } = values;
  await experiment({ ...all, treatment: treatment ?? 'sammy' }, design, { values, command, jobs });
}

async function table(asked: Table, outDir: string, jobs: number): Promise<void> {
  const time = stopwatch();
  const linkDays = await makeTable(
    asked,
    outDir,
    (runs) => runLinks(runs, jobs),
    (seed) => console.log(`seed ${seed}: done`),
  );
  console.log(patienceLine(asked.world));
  console.log(speedOf(linkDays, time()));
  console.log(`npm run experiment -- world ${outDir}`);
}

interface Called {
  readonly values: Values;
  readonly command: string;
  readonly jobs: number;
}

async function experiment(
  all: Omit<LinkRun, 'link' | 'design'>,
  design: DesignName,
  { values, command, jobs }: Called,
): Promise<void> {
  const outDir = resolve(values.out ?? join('lab-results', 'world', `${all.treatment}-${design}`));
  const baselineDays = askedBaseline(values, [design], BASELINE_DAYS);
  const written = askedWritten(values);
  mkdirSync(outDir, { recursive: true });

  const time = stopwatch();
  const planned = worldExperiment(all, design, { baselineDays });
  const runs = runsOf(planned);
  const rows = await runLinks(runs, jobs);
  const took_s = time();

  const link_days = runs.reduce((sum, { days }) => sum + days, 0);
  const settings = { command, design, ...all, baseline_days: baselineDays, jobs, link_days, took_s };
  writeExperiment(outDir, planned, rows, settings, written);
  console.log(speedOf(link_days, took_s));
}

function stopwatch(): () => number {
  const began = performance.now();
  return () => (performance.now() - began) / 1000;
}

const speedOf = (linkDays: number, took_s: number): string =>
  `${linkDays} link-days in ${took_s.toFixed(1)} s: ${Math.round((3600 * linkDays) / took_s)} an hour`;
