import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommandLine } from '../system/command-line/command-line.ts';
import { formatStep, importsStep, lintStep, root, snippetsStep, staticSteps, unitStep } from './steps.ts';
import { runStages, type Lane } from './testing/run-stages.ts';
import { vitestStep } from './testing/vitest-step.ts';

const commandLine = defineCommandLine({
  command: 'npm run check --',
  about: "Format, lint, types, imports, the documentation's snippets, unit tests; no browser.",
  options: {
    changed: { about: 'only the files that differ from REF, and the unit tests that import them' },
    since: { valueName: 'REF', about: 'what they differ from (HEAD: what is not committed)' },
  },
});
export const { help } = commandLine;

/**
 * Returns the paths from the root of files that differ from a commit and still exist, and of files that git does not
 * track.
 */
function changedSince(ref: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  return [
    ...git('diff', '--name-only', '-z', ref, '--'),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ].filter((file) => existsSync(join(root, file)));
}

function stepsFor(changed: readonly string[], ref: string): Lane {
  const code = changed.filter((file) => /\.[cm]?[jt]s$/.test(file));
  return [
    formatStep('--no-error-on-unmatched-pattern', ...changed),
    ...(code.length > 0 ? [lintStep(...code), importsStep] : []),
    ...(changed.some((file) => file.endsWith('.md')) ? [snippetsStep] : []),
    vitestStep('unit tests of what changed', [
      ...['--project=unit', '--project=isolated', '--passWithNoTests', `--changed=${ref}`],
    ]),
  ];
}

export async function main(args: readonly string[]): Promise<void> {
  const { changed, since = 'HEAD' } = commandLine.parse(args).values;
  if (changed !== true) {
    await runStages([[[...staticSteps, unitStep]]]);
    return;
  }
  const files = changedSince(since);
  if (files.length === 0) {
    console.log(`nothing differs from ${since}`);
    return;
  }
  await runStages([[stepsFor(files, since)]]);
}
