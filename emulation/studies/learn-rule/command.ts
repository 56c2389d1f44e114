import { basename, resolve } from 'node:path';
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { RUNG_INPUTS, SHARED_INPUTS } from '../../../src/abr/pensieve/policy-inputs.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';
import { parseChoice, wholeNumber } from '../../../system/command-line/parsers.ts';
import { withoutUndefined } from '../../../src/records.ts';
import { ProcessPool } from '../../../system/processes/process-pool.ts';
import { progressPrinter } from '../../../system/progress.ts';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { LineProgram } from '../../ground/programs/line-program.ts';
import { readTraces } from '../../network/links/trace-files/read-traces.ts';
import { tracesHash } from '../../network/links/trace-files/traces-hash.ts';
import { splitByRank } from '../search/split.ts';
import { writeNetworks } from './networks.ts';
import { learningSessions, type TrainingSetup, type Task } from './course.ts';

const DEFAULTS = { rounds: 300, sessions: 64, seconds: 180, seed: 1, jobs: 2 };

const commandLine = defineCommandLine({
  command: 'npm run lab -- learn-rule',
  about:
    "A rule learned by reinforcement for pensieve(): sessions of the simulator on half of each file's traces, by rank, and PPO. Minutes to an hour. The same command continues what was cut off.",
  options: {
    traces: { valueName: 'F,F', about: 'files or folders of traces' },
    reward: {
      valueName: 'R',
      about: 'bitrate, as published, or ssim',
      parse: parseChoice(['bitrate', 'ssim']),
    },
    paced: { about: "Sammy's pace is in force while it learns" },
    out: { valueName: 'MODEL', about: 'the file of the policy' },
    rounds: { valueName: 'N', about: `of sessions and learning (${DEFAULTS.rounds})`, parse: wholeNumber(1) },
    sessions: { valueName: 'N', about: `in each round (${DEFAULTS.sessions})`, parse: wholeNumber(2) },
    seconds: { valueName: 'S', about: `of each session (${DEFAULTS.seconds})`, parse: wholeNumber(30) },
    seed: { valueName: 'N', about: `of all that is drawn (${DEFAULTS.seed})`, parse: wholeNumber(0) },
    jobs: { valueName: 'N', about: `processes that play (${DEFAULTS.jobs})`, parse: wholeNumber(1) },
    networks: {
      valueName: 'LIST',
      about:
        'learns nothing: writes the networks of a --part of a list (models/networks.json) to --out, of the --traces and drawn ones: one part is to learn from, another to judge by',
    },
    part: { valueName: 'NAME', about: 'with --networks: of the list' },
    check: {
      valueName: 'FILE',
      about: 'writes states with their scores, to check another implementation by',
    },
  },
});
export const { help } = commandLine;

/** Trains a policy, and writes it into a file. */
export async function main(args: readonly string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const { traces: files, reward, out, paced = false, check, networks: list, part } = values;
  if (list !== undefined) {
    if (part === undefined || files === undefined || out === undefined)
      throw new Error('learn-rule: --networks needs --part NAME, --traces DIR and --out FILE');
    return writeNetworks({ list, part, traces: files, out });
  }
  if (files === undefined || reward === undefined || out === undefined)
    throw new Error('learn-rule needs --traces, --reward and --out');
  const asked = { ...DEFAULTS, ...withoutUndefined(values) };
  const traces = (
    await Promise.all(files.split(',').map(async (file) => splitByRank(await readTraces(resolve(file)))[0]))
  ).flat();
  const print = progressPrinter();
  const film = await ensureDefaultContent({ onProgress: print });
  const python = await ensurePython(print);
  const course: TrainingSetup = { film: film.directory, seconds: asked.seconds, paced, traces };
  const learner = new LineProgram('learner', { python, env: pythonEnv() }, 'sammy_analysis.pensieve');
  const pool = new ProcessPool(learningSessions, course, asked.jobs);
  try {
    const { rounds, sessions, seconds, seed } = asked;
    const training = {
      traces: files.split(',').map((file) => basename(file)),
      networks: traces.length,
      traces_sha256: await tracesHash(traces),
      paced,
    };
    const inputs = { shared: SHARED_INPUTS, per_rung: RUNG_INPUTS };
    let said = await learner.ask({
      open: { ...inputs, reward, rounds, sessions, seconds, seed, learnt: training, out: resolve(out) },
    });
    const begun = Number(said.round);
    if (begun > 0) print({ task: `Continuing after round ${begun} of ${rounds}`, lasting: true });
    for (let round = begun; round < rounds; round++) {
      const policy = String(said.policy);
      const seeds = Array.from(
        { length: asked.sessions },
        (_, session) => 1 + (asked.seed * asked.rounds + round) * asked.sessions + session,
      );
      const episodes = await playAll(pool, policy, seeds, asked.jobs);
      said = await learner.ask({ episodes });
      print({
        task: `Learning: reward ${Number(said.reward).toFixed(3)} a segment, entropy ${Number(said.entropy).toFixed(2)}`,
        fraction: (round + 1) / asked.rounds,
      });
    }
    const { words } = await learner.ask({ finish: { check: check && resolve(check) } });
    print.end();
    console.log(String(words));
  } finally {
    pool.close();
    learner.close();
  }
}

/** Plays the episodes, and returns them in the order of the seeds, regardless of the number of processes. */
async function playAll(
  pool: ProcessPool<TrainingSetup, Task, string[]>,
  policy: string,
  seeds: readonly number[],
  jobs: number,
): Promise<string[]> {
  const parts = Array.from({ length: jobs }, (_, job) =>
    seeds.filter((_seed, index) => index % jobs === job),
  );
  const played = await Promise.all(parts.map((part) => pool.ask({ policy, seeds: part })));
  return seeds.map((_, index) => played[index % jobs]?.[Math.floor(index / jobs)] ?? '');
}
