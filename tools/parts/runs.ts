import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { root } from '../testing/step.ts';

/** A line of the report: one run of one part. */
export interface PartRun {
  readonly part: string;
  /** The time at which the run ended, ISO 8601. */
  readonly at: string;
  /** The commit's hash, ten digits. */
  readonly commit: string;
  /** Whether files differed from the commit. */
  readonly hasChanges?: true;
  readonly machine: string;
  /** The machine's load average over the minute before the part began, which shows other work on the machine. */
  readonly load: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  /** Whether it was ended at its deadline. */
  readonly hung?: true;
  readonly failures?: readonly string[];
  readonly flaky?: readonly string[];
}

const REPORT = 'docs/internals/test-all.jsonl';
/** The page with the table of the latest runs. */
export const PAGE = 'docs/internals/testing.md';

/** Reads all runs in the report, the oldest first. */
export const readRuns = (): PartRun[] =>
  readFileSync(join(root, REPORT), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as PartRun);

export const appendRun = (run: PartRun): void =>
  appendFileSync(join(root, REPORT), `${JSON.stringify(run)}\n`);

/** Describes this machine for a line of the report. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory_gb = Math.round(totalmem() / 1e9);
  return `${cpus().length} x ${model}, ${memory_gb} GB, ${type()} ${release()}, Node ${process.versions.node}`;
}

const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

/** The files that determine a result: all except the report and the page with its table, which change with each run. */
const CODE = ['--', '.', `:(exclude)${REPORT}`, `:(exclude)${PAGE}`];

/** Reads the current commit, and whether the worktree has uncommitted changes. */
export function readCommit(): Pick<PartRun, 'commit' | 'hasChanges'> {
  const commit = git('rev-parse', '--short=10', 'HEAD').stdout.trim();
  const hasChanges = git('status', '--porcelain', ...CODE).stdout !== '';
  return { commit, ...(hasChanges && { hasChanges }) };
}

/** Whether a run tested the current files. */
export const isOfPresentCode = ({ commit, hasChanges }: Pick<PartRun, 'commit' | 'hasChanges'>): boolean =>
  hasChanges !== true && git('diff', '--quiet', commit, ...CODE).status === 0;
