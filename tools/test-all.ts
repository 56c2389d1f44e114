import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineCommandLine } from '../system/command-line/command-line.ts';
import { CUT_OFF_STATUS, numberUpTo, parseChoices } from '../system/command-line/parsers.ts';
import { main as buildPlugin } from './build.ts';
import { latestRuns, notPassed, notPassedSince } from './parts/choose-parts.ts';
import type { Part } from './parts/part.ts';
import { PARTS } from './parts/parts.ts';
import { runWithin } from './parts/run-within.ts';
import {
  appendRun,
  describeMachine,
  isOfPresentCode,
  PAGE,
  readCommit,
  readRuns,
  type PartRun,
} from './parts/runs.ts';
import { formatTable, replaceTable } from './parts/table.ts';
import { ensureTestTools } from './setup/ensure-test-tools.ts';
import { addCounts, NO_TESTS, type Counts } from './testing/counts.ts';
import { root } from './testing/step.ts';

const commandLine = defineCommandLine({
  command: 'npm run test:all --',
  about:
    'All tests, in parts that run one after the other: the gate, and full matrices, fuzzers, Viceroy, Slurm, the virtual machine, sweeps. A part that has not ended at its deadline is ended. After each part a line is added to docs/internals/test-all.jsonl, and the table in docs/internals/testing.md is updated. A part that passed on this machine with the same files is not run again, so the command continues after an interruption.',
  options: {
    part: {
      valueName: 'A,B',
      about: 'only these parts, also if they have passed',
      parse: parseChoices(PARTS.map(({ name }) => name)),
    },
    since: {
      valueName: 'DAYS',
      about: 'the oldest first, without those that passed within DAYS, with these files or others',
      parse: numberUpTo(3650, 'days'),
    },
    list: { about: 'lists the parts, their deadlines and their latest runs; runs nothing' },
  },
});

export const help = `
${commandLine.help}

Each property has 10,000 cases of a seed that is drawn and printed (SEED=N tries those of another run again). With CI=true
and as root it first installs all that the tests need: Viceroy takes a quarter of an hour, mahimahi replaces the machine's
iptables. The last line is 'N passed, N failed, N skipped'.
`;

type Options = ReturnType<typeof commandLine.parse>['values'];

function chooseParts({ part: names, since: days }: Options): readonly Part[] {
  const machine = describeMachine();
  if (names) return PARTS.filter(({ name }) => names.includes(name));
  const latest = latestRuns(readRuns());
  return days === undefined
    ? notPassed(PARTS, latest, (run) => run.machine === machine && isOfPresentCode(run))
    : notPassedSince(PARTS, latest, days, Date.now());
}

function listParts(): void {
  const latest = latestRuns(readRuns());
  for (const { name, about, deadline_min } of PARTS) {
    const run = latest.get(name);
    const last = run
      ? `${run.at.slice(0, 16)}Z, ${run.commit}: ${run.hung ? 'hung' : formatCounts(run)}`
      : 'not run';
    console.log(`${name.padEnd(14)}${about} (at most ${deadline_min} min)\n${' '.repeat(14)}${last}`);
  }
}

const formatCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** Runs a part and adds its line to the report. Returns undefined after an interrupt by a signal. */
async function runPart({ name, deadline_min }: Part): Promise<Counts | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'dashjs-sammy-'));
  const countsFile = join(folder, 'counts');
  const before = { ...readCommit(), machine: describeMachine(), load: round(loadavg()[0] ?? 0, 1) };
  const began = performance.now();
  try {
    const program = ['--import', import.meta.resolve('tsx'), join(root, 'tools/parts/run-part.ts')];
    const ending = await runWithin(deadline_min * 60_000, process.execPath, [...program, name, countsFile], {
      cwd: root,
    });
    if (ending === 'interrupted') return undefined;
    const hung = ending === 'hung';
    const counts = hung
      ? { ...NO_TESTS, failed: 1, failures: [`${name}: had not ended after ${deadline_min} min`] }
      : readCounts(countsFile, name);
    const { passed, failed, skipped, failures = [], flaky = [] } = counts;
    const run: PartRun = {
      part: name,
      at: new Date().toISOString(),
      ...before,
      ...{ passed, failed, skipped },
      seconds: round((performance.now() - began) / 1000),
      ...(hung && { hung }),
      ...(failures.length > 0 && { failures }),
      ...(flaky.length > 0 && { flaky }),
    };
    appendRun(run);
    updateTable();
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const round = (value: number, digits = 0): number => Number(value.toFixed(digits));

/** Reads the counts that the part's process wrote. A process that failed before writing them counts as one failure. */
function readCounts(file: string, name: string): Counts {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Counts;
  } catch {
    return { ...NO_TESTS, failed: 1, failures: [`${name}: its process ended without a result`] };
  }
}

function updateTable(): void {
  const page = join(root, PAGE);
  const table = formatTable(PARTS, latestRuns(readRuns()));
  writeFileSync(page, replaceTable(readFileSync(page, 'utf8'), table));
}

export async function main(args: readonly string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  if (values.list === true) {
    listParts();
    return;
  }
  const parts = chooseParts(values);
  process.env.CASES ??= '10000';
  process.env.SEED ??= String(Math.floor(Math.random() * 2 ** 31));
  console.log(`parts: ${parts.map(({ name }) => name).join(', ') || 'all have passed'}`);
  console.log(`properties: ${process.env.CASES} cases each, SEED=${process.env.SEED}`);
  if (parts.some(({ needsNoSetup }) => !needsNoSetup)) {
    await ensureTestTools('everything');
    await buildPlugin();
  }
  let all: Counts = NO_TESTS;
  const results: string[] = [];
  for (const part of parts) {
    console.log(`\n==== ${part.name}: ${part.about}; at most ${part.deadline_min} min`);
    const counts = await runPart(part);
    if (!counts) {
      process.exitCode = CUT_OFF_STATUS;
      return;
    }
    all = addCounts(all, counts);
    results.push(`${part.name}: ${formatCounts(counts)}`);
  }
  if (all.failed > 0) process.exitCode = 1;
  console.log(`\n${[...results, ...(all.failures ?? []).map((each) => `- ${each}`)].join('\n')}`);
  console.log(`\n${formatCounts(all)}`);
}
