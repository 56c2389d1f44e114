import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { arms } from './arms/index.ts';
import { about as aboutBufferSingle, runBufferSingle } from './flows/run-buffer-single.ts';
import { writeBufferReport } from './flows/write-buffer-report.ts';
import { runExperiment } from './runs/run-experiment.ts';
import { experiments } from './experiments/index.ts';
import { neighbours } from './neighbours/index.ts';
import { writeReport } from './report/write-report.ts';
import { labChecks } from './setup/lab-checks.ts';
import { examine, printFindings } from './setup/check.ts';
import type { Link } from './links/link.ts';
import { readRate } from './links/read-rate.ts';
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

/** No sessions of a player: an experiment of its own kind. */
const BUFFER_SINGLE = 'buffer-single';
const SESSIONS_ONLY = ['arms', 'switch', 'rate', 'rtt', 'queue', 'seed', 'lanes'] as const;

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
      if (isBufferSingle(subject)) writeBufferReport(subject);
      else writeReport(subject);
      console.log(`${subject}/report.html`);
      return;
    case 'run':
      if (subject === BUFFER_SINGLE) {
        const ignored = SESSIONS_ONLY.find((option) => values[option] !== undefined);
        if (ignored)
          throw new Error(`${BUFFER_SINGLE} has no --${ignored}: its flows, link and order are its own`);
        return runBufferSingle({
          out: values.out ?? `lab-results/${BUFFER_SINGLE}`,
          runs: number('runs', 1),
          seconds: number('seconds', 5),
          resume: values.resume,
          command: typed,
        });
      }
      if (subject === undefined) throw new Error('run: which experiment? npm run lab -- list names them');
      return runExperiment({
        name: subject,
        arms: values.arms?.split(','),
        runs: number('runs', 1),
        seconds: number('seconds', 5),
        switch: bottleneckNamed(values.switch),
        link: linkOf(values.rate, number('rtt', 0), number('queue', LEAST_QUEUE_BYTES)),
        seed: number('seed', 0) ?? 1,
        lanes: number('lanes', 1) ?? 1,
        out: values.out,
        resume: values.resume,
        command: typed,
      });
    default:
      throw new Error(`unknown action '${action}'; known: list, doctor, run, report`);
  }
}

function bottleneckNamed(name: string | undefined): 'mahimahi' | 'p4' | undefined {
  if (name === undefined || name === 'mahimahi' || name === 'p4') return name;
  throw new Error(`--switch is '${name}', expected mahimahi or p4`);
}

const linkOf = (
  rate: string | undefined,
  rtt_ms: number | undefined,
  queue_bytes: number | undefined,
): Partial<Link> => ({
  ...(rate !== undefined && { rate: readRate(rate) }),
  ...(rtt_ms !== undefined && { rtt_ms }),
  ...(queue_bytes !== undefined && { queue_bytes }),
});

function isBufferSingle(folder: string): boolean {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    return (manifest as { experiment?: unknown } | null)?.experiment === BUFFER_SINGLE;
  } catch {
    // Whoever writes the report says what is wrong with it.
    return false;
  }
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
  print('Experiments', [
    ...experiments.map(({ name, about, figure }) => ({ name, about: `${about} (${figure})` })),
    { name: BUFFER_SINGLE, about: aboutBufferSingle },
  ]);
  print('Arms', arms);
  print('Neighbours', neighbours);
}
