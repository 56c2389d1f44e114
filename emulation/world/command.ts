import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { wholeNumber, type Values } from '../words.ts';
import { WORLD } from './demand.ts';
import { DESIGNS, LINKS, type DesignName } from './designs.ts';
import type { LinkRun } from './run-link.ts';
import { runLinks } from './run-links.ts';
import { csvOf } from './session-row.ts';
import { TREATMENTS, type Treatment } from './treatments.ts';
import { makeTable, type Table } from './table.ts';
import { truthOf, truthRuns, type Truth } from './truth.ts';

/** `lab world`: an experiment on two congested links in virtual time, and the truth that it estimates. */
export async function world(values: Values, command: string): Promise<void> {
  const days = wholeNumber(values, 'days', 1) ?? 5;
  const seed = wholeNumber(values, 'seed', 0) ?? 1;
  const jobs = wholeNumber(values, 'jobs', 1) ?? 1;
  const perHour = wholeNumber(values, 'sessions-per-hour', 1) ?? WORLD.sessionsPerHour;
  const all = { world: { ...WORLD, sessionsPerHour: perHour }, days, seed };
  const treatment =
    values.treatment === undefined ? undefined : nameOf(TREATMENTS, values.treatment, 'treatment');
  if (values.table) {
    if (values.design !== undefined) throw new Error('world: --table has all designs; leave out --design');
    const runs = wholeNumber(values, 'runs', 1) ?? 1;
    const outDir = resolve(values.out ?? join('lab-results', 'world', 'table'));
    await table({ ...all, runs, treatments: treatment ? [treatment] : ['sammy', 'cap'] }, outDir, jobs);
    return;
  }
  if (values.runs !== undefined) throw new Error('world: --runs is of --table');
  const design = nameOf(DESIGNS, values.design ?? 'paired', 'design');
  await experiment({ ...all, treatment: treatment ?? 'sammy' }, design, { values, command, jobs });
}

async function table(asked: Table, outDir: string, jobs: number): Promise<void> {
  const time = stopwatch();
  const linkDays = await makeTable(asked, outDir, jobs, (seed) => console.log(`seed ${seed}: done`));
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
  mkdirSync(outDir, { recursive: true });

  const time = stopwatch();
  const own: LinkRun[] = DESIGNS[design].links.map((link) => ({ ...all, link, design }));
  const truths = design === 'aa' ? [] : LINKS.flatMap((link) => truthRuns({ ...all, link }));
  const results = await runLinks([...own, ...truths], jobs);
  const took_s = time();

  writeFileSync(join(outDir, 'sessions.csv'), csvOf(results.slice(0, own.length).flat()));
  const truthRows = results.slice(own.length);
  const of = (name: LinkRun['design']) =>
    truthRows.filter((_, index) => truths[index]?.design === name).flat();
  if (truths.length > 0) {
    const truth = truthOf(of('all treated'), of('none treated'));
    writeFileSync(join(outDir, 'truth.json'), `${JSON.stringify(truth, undefined, 2)}\n`);
    console.log(tableOf(truth));
  }
  const linkDays = results.length * all.days;
  const settings = { command, design, ...all, jobs, link_days: linkDays, took_s };
  writeFileSync(join(outDir, 'world.json'), `${JSON.stringify(settings, undefined, 2)}\n`);
  console.log(speedOf(linkDays, took_s));
  console.log(`npm run experiment -- analyze ${join(outDir, 'sessions.csv')}`);
}

function stopwatch(): () => number {
  const began = performance.now();
  return () => (performance.now() - began) / 1000;
}

const speedOf = (linkDays: number, took_s: number): string =>
  `${linkDays} link-days in ${took_s.toFixed(1)} s: ${Math.round((3600 * linkDays) / took_s)} an hour`;

function nameOf<T extends DesignName | Treatment>(
  known: Record<T, unknown>,
  name: string,
  option: string,
): T {
  if (Object.hasOwn(known, name)) return name as T;
  throw new Error(`--${option} is '${name}', expected one of ${Object.keys(known).join(', ')}`);
}

const tableOf = (truth: Truth): string =>
  [
    'all treated beside none treated, of both links:',
    ...Object.entries(truth).map(
      ([name, { tte_pct }]) =>
        `  ${name.padEnd(24)}${tte_pct === null ? 'none without treatment' : `${tte_pct.toFixed(1)}%`}`,
    ),
  ].join('\n');
