import { join, resolve } from 'node:path';
import {
  defineCommandLine,
  firstPositional,
  type Option,
  type Options,
} from '../../../system/command-line/command-line.ts';
import { findStudy, studies } from '../../studies/sessions/index.ts';
import type { LabEdgeName } from '../../network/edges/index.ts';
import { isVirtual } from '../../host/machine/is-virtual.ts';
import { DEFAULT_KERNEL } from '../../host/machine/kernels.ts';
import { hasFinishedRun } from '../../harness/runs/finished-run.ts';
import { HARNESS_OPTIONS, type HarnessValues } from '../../harness/runs/harness-options.ts';
import { isInMachine, placeFor } from '../../harness/runs/place.ts';
import { runStudy } from '../../harness/runs/run-study.ts';
import { shardFolder } from '../../harness/runs/shard.ts';
import type { Study } from '../../harness/runs/study.ts';
import { SESSION_OPTIONS } from '../../player/real-time/session-options.ts';
import { summarizeOutcome } from './finished-experiment.ts';

const COMMAND = 'npm run lab -- run';

const studyCommandLine = (usage: string, about: string, options: Options) =>
  defineCommandLine({
    command: COMMAND,
    usage: `${usage} [options]`,
    about,
    maxPositionals: 1,
    options: { ...HARNESS_OPTIONS, ...options },
  });

const ABOUT_SESSIONS =
  "Makes a study's runs and its report: by default a real browser behind a link that mahimahi emulates, as root, on Linux; with --link virtual in seconds and without root. 'list' names the studies.";

/** The command line of a study: its own options and the options of the harness. */
const commandLineFor = ({ name, about, figure, options }: Study) =>
  options === SESSION_OPTIONS
    ? studyCommandLine('STUDY', ABOUT_SESSIONS, options)
    : studyCommandLine(name, `${about} (${figure})`, options);

const ownStudies = studies.filter(({ options }) => options !== SESSION_OPTIONS);

/**
 * The options of all studies. The parser needs all of them, because the study's name may stand anywhere among the
 * options.
 */
const ALL_OPTIONS: Options = Object.assign(
  {},
  HARNESS_OPTIONS,
  ...ownStudies.map(({ options }) => options),
  SESSION_OPTIONS,
) as Options;

/** The help for a study's options that the general help does not list. */
const ownHelp = ({ name, about, figure, options }: Study): string => {
  const shown: Options = { ...HARNESS_OPTIONS, ...SESSION_OPTIONS };
  const own = Object.entries<Option>(options).filter(
    ([option, { about: is }]) => shown[option]?.about !== is,
  );
  return defineCommandLine({
    command: COMMAND,
    usage: `${name} [options]`,
    about: `${about} (${figure})`,
    maxPositionals: 1,
    options: Object.fromEntries(own),
  }).help.replace(/\n +-h, --help .*$/, '');
};

export const help = [
  studyCommandLine('STUDY', ABOUT_SESSIONS, SESSION_OPTIONS).help,
  `Studies with options of their own; '${COMMAND} STUDY --help' has all options of one:`,
  ...ownStudies.map(ownHelp),
].join('\n\n');

/** The help of the study that is named in the arguments. */
export function helpFor(args: readonly string[]): string | undefined {
  const study = studies.find(({ name }) => args.includes(name));
  return study && commandLineFor(study).help;
}

export async function main(args: readonly string[]): Promise<void> {
  const name = firstPositional(args, ALL_OPTIONS, COMMAND);
  if (name === undefined) {
    studyCommandLine('STUDY', '', SESSION_OPTIONS).parse(args);
    throw new Error('run needs a study; npm run lab -- list names the studies');
  }
  const study = findStudy(name);
  const { values, command } = commandLineFor(study).parse(args);
  const {
    seed,
    backend,
    link,
    clock,
    kernel,
    jobs,
    out,
    resume = false,
    shard,
    ...asked
  } = values as HarnessValues & Readonly<Record<string, unknown>>;
  const place = { backend, link, clock };
  const found = placeFor(study, place);
  const folders = found.link === 'virtual' ? ['lab-results', 'simulated'] : ['lab-results'];
  const outDir = resolve(out ?? join(...folders, shardFolder(name, shard)));
  const inMachine = isInMachine(found) && !isVirtual();
  if (!isInMachine(found) && kernel !== undefined && study.options.kernel === undefined)
    throw new Error('--kernel needs a virtual machine: --link p4 --clock virtual');
  if (inMachine) {
    // Plan first, so that invalid options are reported before a machine is built.
    const { settings } = await study.plan({ ...asked, place: found, seed });
    const { runVirtually } = await import('./run-virtually.ts');
    const { prepareOutside } = await import('../../player/real-time/prepare-outside.ts');
    process.exitCode = await runVirtually({
      ...{ kernel: kernel ?? DEFAULT_KERNEL, jobs: jobs ?? 1, args, command, outDir },
      prepare: (print) =>
        study.prepareOutside?.(settings, print) ??
        prepareOutside(asked.edge as LabEdgeName | undefined, print),
    });
    return;
  }
  // With a virtual clock, each job is a virtual machine, which makes its runs one at a time.
  const side = isInMachine(found) ? 1 : jobs;
  await runStudy(study, { place, asked: { ...asked, jobs: side }, seed, shard, outDir, resume, command });
  if (hasFinishedRun(outDir)) console.log((await summarizeOutcome(study, outDir)).join('\n'));
}
