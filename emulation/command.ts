import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { arms } from './arms/index.ts';
import { bufferPaper } from './experiments/buffer-paper.ts';
import { experimentNamed, experiments } from './experiments/index.ts';
import { onlyOn, traces, tracesOn } from './experiments/traces.ts';
import { exportFolder } from './export/command.ts';
import { neighbours } from './neighbours/index.ts';
import { bufferExhibits } from './flows/paper/exhibits.ts';
import { BUFFER_LOG, fillLog, SAMMY_LOG } from './paper/fill-log.ts';
import { runPaper } from './paper/run-paper.ts';
import { isPaper, writePaper } from './paper/write-paper.ts';
import { comparedLines, compareRuns } from './report/compare.ts';
import { printAnswer } from './report/print-answer.ts';
import { writeReport } from './report/write-report.ts';
import { checkAnySettings, readManifest } from './runs/manifest.ts';
import { merge, type Merging } from './runs/merge.ts';
import type { Experiment } from './runs/experiment.ts';
import { DEFAULT_SEED, runExperiment } from './runs/run-experiment.ts';
import { readShard, type Shard } from './runs/shard.ts';
import { sessionExperiment } from './sessions/session-experiment.ts';
import { labChecks } from './setup/lab-checks.ts';
import { examine, printFindings } from './setup/check.ts';
import { searchConstants } from './search/command.ts';
import { simulate } from './simulate/command.ts';
import { validateFolders } from './simulate/validate/command.ts';
import { mergeTrial, trial } from './trial/command.ts';
import { isTrial } from './trial/merge.ts';
import { askedOf, CUT_OFF_STATUS, PAPER, readWords, wholeNumber, type Values } from './words.ts';
import { bufferRulesHelp, describeBufferRules } from './theory/command.ts';
import { world } from './world/command.ts';
import { mergeWorlds } from './world/tcp/merge.ts';
import { shardIn } from './world/tcp/tcp-experiment.ts';

export const help = `
npm run lab -- list | doctor | run EXPERIMENT [options] | merge DIR... --out DIR | report DIR | compare DIR DIR
npm run lab -- buffer-rules
npm run lab -- simulate EXPERIMENT|--traces FILE|DIR [options]
npm run lab -- search [--traces FILE|DIR] [--trials N] [options]
npm run lab -- world [options]
npm run lab -- trial [options]
npm run lab -- export DIR [--out FOLDER]

The paper's experiments: a real browser behind a link that mahimahi emulates. Needs root, on Linux.

  list                what there is to run
  doctor              what this machine has and lacks for it, and the command that mends each lack
  run EXPERIMENT      makes the runs and the report
    --arms A,B        only these; the first in the experiment's own order is the control. A@FILE, A@FILE#NAME: A with
                      the constants of a file that 'search' wrote
    --conditions A,B  only these, in an experiment that has several
    --runs N          of each arm, instead of the experiment's own number
    --seconds S       of each session
    --switch S        the link: mahimahi, or p4, which shows every packet's queue (mahimahi)
    --edge E          what serves the film: node, or nginx, from apt with this project's module (node)
    --viewers V       what plays it: chromium; or, without a browser and over the same TCP, light, the plug-in's core
                      in a model of dash.js, or page, dash.js itself (chromium)
    --rate R          of the link, instead of the experiment's own: Mbit/s (20), Mbit/s and seconds (40x30,5x20), or
                      a mahimahi trace, by name or file; with --switch p4 also poisson:20, Mbit/s in the mean, of which
                      each packet takes an exponentially distributed time
    --traces F        of 'traces': a file or folder of traces (mahimahi's, or JSON Lines) instead of mahimahi's eight
    --offsets N       of 'traces': sessions begin at N places of each trace, chosen by --seed (at its beginning); in
                      the lab 20 s further on, when the link is calibrated
    --rtt MS          of the link
    --queue BYTES     of the link, drop-tail
    --loss PCT        of the link, random, each way, 0 to 10; with --switch p4 run k of every arm has the same seed
    --jitter MS       of the link's delay, each way: uniformly up to so much more or less, in order (--switch p4)
    --drop-above N    the link drops packets that find more than N waiting (--switch p4)
    --mark-above N    the link marks packets of ECN that find more than N waiting (--switch p4); clients ask for ECN then
    --weights F,O     the film has a queue of its own; it sends F full packets in turn with O of all others (--switch p4)
    --seed N          of the order of the runs and of the bootstrap (1)
    --out DIR         where the results go (lab-results/EXPERIMENT)
    --resume          goes on with what DIR has, as it was asked for
    --shard K/N       only the Kth of N parts of the plan, for one of N machines; merge puts them together. Also of
                      trial, for arms that do not learn in it, and of world --over tcp, whose links are shared out
    --lanes N         so many runs at a time (1); each has a link of its own, but they share the processors
  merge DIR...        puts the shards of one experiment, trial or world into --out DIR, and says which runs are missing, and
                      the command that makes them there
    --mixed-commits   also of several commits, which the manifest then names
  run buffer-paper    all figures of Updating the Theory of Buffer Sizing, by TCP flows through the P4 switch
    --figures 3,5     only these
    --cc A,B          in the figures that compare congestion controls also these: vegas, which BPF loads
    --quick           in a quarter of an hour: fewer buffers and flows, and runs of fewer round trips
  run ab-lab          what A/B tests say of two connections, pacing and bbr, and what happens when all ten applications of
                      a link have them (Unbiased Experiments, Figures 2 and 3)
    --conditions A,B  only these: connections, pacing, congestion-control
    --drop-at END     of the queue: front, as the paper's switch, or tail (front)
    --buffer N        of the switch, in bandwidth-delay products (1)
    --burst N         packets that a sender may send back to back (1, at most 43; with --kernel 7, which is the most)
    --kernel V        instead in virtual time, in seconds and without root: the paper's own link of 10 Gbit/s and 1 ms, and
                      senders by the rules of Linux 5.5 (the paper's), 5.11 or 6.1
    --quick           in ten minutes: 0, 1, 5, 9 and 10 treated, and shorter runs
  run paper           every table and picture of docs/results/log/paper-*.md, the most important first, in one lane, each
                      experiment in a folder of its own in --out DIR (lab-results/paper); also --resume, --seed
    --quick           within 40 minutes: short sessions, few of them, with wide intervals or none
  simulate EXPERIMENT the same in virtual time, with the plug-in's own core and a model of dash.js and TCP: seconds
                      instead of hours, without root; lab validate says how true it is
    --traces F        instead of an experiment: a file or folder of traces, with their RTTs as they are
    --jobs N          processes (1); also --arms, --conditions, --runs, --seconds, --seed, --rate, --rtt, --queue, --out
                      (lab-results/simulated/EXPERIMENT), --resume, --traces, --offsets
    --viewers V       what plays it: light, the model, or page, dash.js itself, which takes a second or two (light)
    --forks           also writes what each paced request would have taken without its pace (unpaced.csv): the network is
                      forked as it is then. export has it as unpaced.parquet, to judge predictions by
  search              better constants, by Optuna and the simulator: a Pareto front of chunk throughput, stalls and SSIM on
                      half of the traces, and three of its points and the defaults on the other half; installs Python
                      packages at first
    --traces F        a file or folder of traces (mahimahi's eight)
    --trials N        in all (200); also --seconds (120), --jobs, --seed, --out (lab-results/search), --resume
  world               an experiment on two congested links, in virtual time: many sessions that share a link, one row
                      each, for 'npm run experiment -- analyze', and the truth: all treated beside none
    --design D        paired, ab, switchback, switchback-hours, truth, or aa, without treatment (paired)
    --treatment T     sammy (pacing), cap (a ceiling for the bitrate), or none, which is the control again (sammy)
    --table           instead: every design of sammy and cap and the truth, a folder for each of --runs N seeds, for
                      'npm run experiment -- world' (lab-results/world/table)
    --days N          from a Monday on (5; over TCP 1)
    --baseline-days N  before it, in which nobody is treated: what paired links differ by anyway (7, as the paper's; over
                      TCP 0)
    --format F        csv, or parquet, a fifth as large: sessions.csv or sessions.parquet (csv)
    --metrics A,B     the sessions with only these metrics (all)
    --sessions-per-hour N  of each link at a weekday's peak (90; over TCP 15); also --seed, --jobs, --out
                      (lab-results/world/TREATMENT-DESIGN)
    --patience P      endless: viewers stay as long as they meant to; or krishnan-sitaraman: they leave when playback
                      does not start, and sooner after stalls, as published (endless)
    --over O          virtual-time, or tcp: light viewers on links of the P4 switch, an hour in 20 s, as root; --jobs 2
                      plays two links at a time (virtual-time)
    --hours A-B       over TCP: of each day only from A until before B o'clock (0-24)
  trial               a randomised trial, blinded, in virtual time: days of sessions, each on a place of a trace and with a
                      watch time of its own, and an arm by lot; after each day Fugu learns from all of them. A report with
                      time stalled, SSIM and its variation, start-up, and what learning here, and daily, is worth
    --over O          virtual-time, or tcp: light viewers behind mahimahi's links, in real time, as root (virtual-time)
    --days N          (5; over TCP 3); where an arm learns here, the first day is for the others alone, and does not count
    --sessions-per-day N  (400; over TCP 48)
    --arms A,B        the lab's, and fugu-in-situ, retrained every day, and fugu-frozen, trained once (eight of them)
    --traces F        a file or folder of traces (mahimahi's eight)
    --seconds S       that nobody watches longer than (600; over TCP 30)
    --explored PCT    so many of the segments of the arms that learn here are of a rung that is drawn, up to 50 (0)
    --jobs N          processes (1); over TCP, so many sessions at a time, each with a link of its own (8)
    --epochs N        of a day's training, at most (6); also --seed, --out (lab-results/trial, over TCP trial-tcp), --resume
  validate DIR...     how true the simulator is, by what the lab measured: its requests replayed, and its sessions played
                      anew; --out DIR (lab-results/validation)
  export DIR          the sessions in DIR as Puffer's open data: video_sent, video_acked and client_buffer as Parquet,
                      whose columns docs/reference/puffer.md lists; --out FOLDER (DIR/puffer)
  report DIR          writes summary.json and report.html anew from the runs in DIR, or a paper's tables and pictures
    --log             and puts its tables and pictures between their markers in docs/results/log: those of 'run paper'
                      into paper-*.md, those of 'run buffer-paper' into buffer-paper.md
  compare DIR DIR     the medians of the cells that both have, such as one experiment on two links, with the interval of
                      the difference
${bufferRulesHelp.slice(1)}
`;

/** What `npm run lab` alone prints. */
const SHORT = `
npm run lab -- COMMAND

  simulate single --arms dashjs,sammy --runs 3    a first report, in seconds, without root
  list                                            what there is to run
  doctor                                          what this machine lacks for real links
  run EXPERIMENT                                  real links, a real browser (root, Linux)
  report DIR | compare DIR DIR                    what finished runs say
  validate DIR...                                 how true virtual time is
  world | trial                                   many sessions on two links; algorithms by lot
  search                                          better constants, by Optuna
  buffer-rules                                    how large a buffer should be
  merge DIR... | export DIR                       shards; sessions as Puffer's open data

All options: npm run lab -- --help. What to begin with: docs/lab/index.md
`;

export async function main(args: string[]): Promise<void> {
  if (args.length === 0) {
    console.log(SHORT.trim());
    return;
  }
  if (args[0] === 'buffer-rules') {
    console.log(describeBufferRules(args.slice(1)));
    return;
  }
  const { action, subjects, values } = readWords(args);
  const [subject] = subjects;
  const command = `npm run lab -- ${args.join(' ')}`;
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
      return reportOn(subject, values.log ?? false);
    case 'compare':
      compare(subjects);
      return;
    case 'run':
    case 'run buffer-paper':
    case 'run ab-lab':
      if (subject === undefined) throw new Error('run: which experiment? npm run lab -- list names them');
      return runNamed(subject, values, command);
    case 'run paper':
      return runThePaper(values, command);
    case 'simulate':
      return simulate(subject, values, command);
    case 'search':
      return searchConstants(values, command);
    case 'world':
      return world(values, command);
    case 'trial':
      return trial(values, command);
    case 'validate':
      return validateFolders(subjects, values);
    case 'export':
      exportFolder(subject, values);
      return;
    case 'merge':
      if (values.out === undefined) throw new Error('merge: into which folder? --out DIR');
      return mergeInto(resolve(values.out), {
        folders: subjects.map((folder) => resolve(folder)),
        command,
        mixedCommits: values['mixed-commits'] ?? false,
      });
  }
}

async function runThePaper(values: Values, command: string): Promise<void> {
  const outDir = resolve(values.out ?? join('lab-results', PAPER));
  const { quick = false, resume = false } = values;
  const result = await runPaper({ outDir, quick, resume, seed: wholeNumber(values, 'seed', 0), command });
  if (result === 'cut off') process.exitCode = CUT_OFF_STATUS;
  console.log(`${outDir}/tables, ${outDir}/figures; npm run lab -- report ${outDir} --log`);
}

async function runNamed(name: string, values: Values, command: string): Promise<void> {
  const shard = values.shard === undefined ? undefined : readShard(values.shard);
  const outDir = resolve(values.out ?? join('lab-results', folderName(name, shard)));
  const seed = wholeNumber(values, 'seed', 0);
  const experiment = await experimentOf(name, values, seed);
  const result = await runExperiment(experiment, {
    asked: {
      ...askedOf(values),
      lanes: wholeNumber(values, 'lanes', 1),
      switch: values.switch,
      edge: values.edge,
      viewers: values.viewers,
    },
    seed,
    shard,
    outDir,
    resume: values.resume ?? false,
    command,
  });
  if (result === 'cut off') process.exitCode = CUT_OFF_STATUS;
  if (isOfSessions(experiment)) printAnswer(outDir);
  else console.log(`${outDir}/report.html`);
}

const isOfSessions = (experiment: Experiment): boolean => 'settings' in experiment;

/** An experiment by its name, or `traces` on traces of one's own. */
async function experimentOf(name: string, values: Values, seed = DEFAULT_SEED): Promise<Experiment> {
  const experiment = experimentNamed(name);
  const asked = { traces: values.traces, offsets: wholeNumber(values, 'offsets', 1), seed };
  if (asked.traces === undefined && asked.offsets === undefined) return experiment;
  if (name !== traces.name)
    throw new Error(`experiment ${name} has links of its own; --traces and --offsets are of ${traces.name}`);
  const settings = await tracesOn(asked);
  return onlyOn(settings, sessionExperiment(settings));
}

const folderName = (experiment: string, shard: Shard | undefined): string =>
  shard ? `${experiment}-${shard.index}-of-${shard.of}` : experiment;

/** Merges the folders. If runs are missing, then throws an Error that names them, after the others are merged. */
async function mergeInto(
  outDir: string,
  merging: Omit<Merging, 'outDir' | 'experimentNamed'>,
): Promise<void> {
  const [first = ''] = merging.folders;
  const all = { ...merging, outDir, experimentNamed };
  const { made, missing, again } = await (isTrial(first)
    ? mergeTrial(all)
    : shardIn(first)
      ? mergeWorlds(all)
      : merge(all));
  if (existsSync(join(outDir, 'report.html'))) console.log(`${outDir}/report.html`);
  if (missing.length > 0)
    throw new Error(
      `${made.length} of ${made.length + missing.length} runs are merged; missing: ${missing.join(', ')}; ` +
        `npm run lab -- ${again} makes them`,
    );
}

function compare([first, second]: readonly string[]): void {
  if (first === undefined || second === undefined) throw new Error('compare: which two folders?');
  console.log(comparedLines(compareRuns(first, second)).join('\n'));
}

async function reportOn(outDir: string, log: boolean): Promise<void> {
  if (isPaper(outDir)) {
    const exhibits = writePaper(outDir);
    if (log) await fillLog(SAMMY_LOG, exhibits, outDir);
    console.log(`${outDir}/tables, ${outDir}/figures`);
    return;
  }
  const { experiment } = readManifest(outDir, checkAnySettings);
  if (log && experiment.name !== bufferPaper.name)
    throw new Error(
      `${outDir} is not what 'run paper' or 'run buffer-paper' left, of which --log shows the tables`,
    );
  // An experiment that is not in this list, since it was removed or is someone's own, is read as one of sessions.
  const known = experiments.find(({ name }) => name === experiment.name);
  if (known) known.report(outDir);
  else writeReport(outDir);
  if (log) await fillLog(BUFFER_LOG, bufferExhibits(outDir), outDir);
  if (!known || isOfSessions(known)) printAnswer(outDir);
  else console.log(`${outDir}/report.html`);
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
    { name: PAPER, about: 'all of them, for the tables and pictures of docs/results/log/paper-*.md' },
  ]);
  print('Arms', arms);
  print('Neighbours', neighbours);
}
