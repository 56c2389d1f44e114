import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { arms } from './arms/index.ts';
import { experimentNamed, experiments } from './experiments/index.ts';
import { neighbours } from './neighbours/index.ts';
import { writeReport } from './report/write-report.ts';
import { checkAnySettings, readManifest } from './runs/manifest.ts';
import { runExperiment } from './runs/run-experiment.ts';
import { labChecks } from './setup/lab-checks.ts';
import { examine, printFindings } from './setup/check.ts';
import { OPPORTUNITY_BYTES } from './links/traces.ts';

export const help = `
npm run lab -- list | doctor | run EXPERIMENT [options] | report DIR

The paper's experiments: a real browser behind a link that mahimahi emulates. Needs root, on Linux.

  list                what there is to run
  doctor              what this machine has and lacks for it, and the command that mends each lack
  run EXPERIMENT      makes the runs and the report
    --arms A,B        only these; the first in the experiment's own order is the control
    --runs N          of each arm, instead of the experiment's own number
    --seconds S       of each session
    --switch S        the bottleneck: mahimahi, or p4, which shows every packet's queue (mahimahi)
    --rate R          of the link, instead of the experiment's own: Mbit/s (20), Mbit/s and seconds (40x30,5x20), or
                      a mahimahi trace, by name or file
    --rtt MS          of the link
    --queue BYTES     of the link, drop-tail
    --seed N          of the order of the runs and of the bootstrap (1)
    --out DIR         where the results go (lab-results/EXPERIMENT)
    --resume          goes on with what DIR has
    --lanes N         so many runs at a time (1); each has a link of its own, but they share the processors
  report DIR          writes summary.json and report.html anew from the runs in DIR
`;

/** One packet fits. */
const LEAST_QUEUE_BYTES = OPPORTUNITY_BYTES;
/** As a shell has it for what Ctrl-C ended. */
const CUT_OFF_STATUS = 130;

export async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      arms: { type: 'string' },
      runs: { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      switch: { type: 'string' },
      rate: { type: 'string' },
      rtt: { type: 'string' },
      queue: { type: 'string' },
      out: { type: 'string' },
      resume: { type: 'boolean', default: false },
      lanes: { type: 'string' },
    },
  });
  const [action = 'help', subject, ...rest] = positionals;
  if (rest.length > 0) throw new Error(`unexpected argument '${rest[0] ?? ''}'; npm run lab -- --help`);
  const number = (
    name: 'runs' | 'seconds' | 'seed' | 'lanes' | 'rtt' | 'queue',
    least: number,
  ): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= 1_000_000) return value;
    throw new Error(`--${name} is '${text}', expected a whole number from ${least} on`);
  };
  const typed = `npm run lab -- ${args.join(' ')}`;
  switch (action) {
    case 'help':
      console.log(help.trim());
      return;
    case 'list':
      list();
      return;
    case 'doctor':
      return doctor();
    case 'report':
      if (subject === undefined || !existsSync(subject)) {
        throw new Error(`report: ${subject === undefined ? 'which folder?' : `there is no ${subject}`}`);
      }
      reportOn(subject);
      console.log(`${subject}/report.html`);
      return;
    case 'run': {
      if (subject === undefined) throw new Error('run: which experiment? npm run lab -- list names them');
      const outDir = resolve(values.out ?? join('lab-results', subject));
      const result = await runExperiment(experimentNamed(subject), {
        asked: {
          arms: values.arms?.split(','),
          runs: number('runs', 1),
          seconds: number('seconds', 5),
          lanes: number('lanes', 1),
          switch: values.switch,
          rate: values.rate,
          rtt_ms: number('rtt', 0),
          queue_bytes: number('queue', LEAST_QUEUE_BYTES),
        },
        seed: number('seed', 0),
        outDir,
        resume: values.resume,
        command: typed,
      });
      if (result === 'cut off') process.exitCode = CUT_OFF_STATUS;
      console.log(`${outDir}/report.html`);
      return;
    }
    default:
      throw new Error(`unknown action '${action}'; known: list, doctor, run, report`);
  }
}

function reportOn(outDir: string): void {
  const { experiment } = readManifest(outDir, checkAnySettings);
  // One that is no longer in the list, or was in somebody's own, is one of sessions if it can be read.
  const known = experiments.find(({ name }) => name === experiment.name);
  if (known) known.report(outDir);
  else writeReport(outDir);
}

async function doctor(): Promise<void> {
  const findings = await examine(labChecks);
  console.log(printFindings(findings));
  const needed = findings.filter(({ check, found }) => check.required && !found);
  if (needed.length === 0) return;
  throw new Error(`the lab needs ${needed.map(({ check }) => check.name).join(', ')}`);
}

function list(): void {
  const print = (title: string, entries: readonly { name: string; about: string }[]) => {
    const width = Math.max(...entries.map(({ name }) => name.length));
    console.log(
      `${title}\n${entries.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')}\n`,
    );
  };
  print(
    'Experiments',
    experiments.map(({ name, about, figure }) => ({ name, about: `${about} (${figure})` })),
  );
  print('Arms', arms);
  print('Neighbours', neighbours);
}
