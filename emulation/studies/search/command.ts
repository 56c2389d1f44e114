import { join, resolve } from 'node:path';
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { mahimahis } from '../experiments/traces.ts';
import { readTraces } from '../../network/links/trace-files/read-traces.ts';
import { HARNESS_OPTIONS } from '../../harness/runs/harness-options.ts';
import { lifeCycle } from '../../harness/runs/life-cycle.ts';
import { wholeNumber } from '../../../system/command-line/parsers.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';
import { describeFound, writeFound } from './results.ts';
import { search } from './search.ts';
import { keepSettings, settingsIn } from './settings.ts';
import { splitByRank } from './split.ts';

const TRIALS = 200;
const SECONDS = 120;
const SEED = 1;

const commandLine = defineCommandLine({
  command: 'npm run lab -- search',
  about:
    'Better constants, by Optuna and the simulator: a Pareto front of chunk throughput, stalls and SSIM on half of the traces, and three of its points and the defaults on the other half. Installs Python packages at first.',
  options: {
    traces: { valueName: 'F', about: "a file or folder of traces (mahimahi's eight)" },
    trials: { valueName: 'N', about: `in all (${TRIALS})`, parse: wholeNumber(1) },
    jobs: { valueName: 'N', about: 'processes (1)', parse: wholeNumber(1) },
    seconds: { valueName: 'S', about: `of each session (${SECONDS})`, parse: wholeNumber(5) },
    seed: { valueName: 'N', about: `of what is tried (${SEED})`, parse: wholeNumber(0) },
    out: { valueName: 'DIR', about: 'where the results go (lab-results/search)' },
    resume: HARNESS_OPTIONS.resume,
  },
});
export const { help } = commandLine;

/** Looks for better constants in virtual time, and writes what it found. */
export async function main(args: readonly string[]): Promise<void> {
  const { values, command } = commandLine.parse(args);
  const outDir = resolve(values.out ?? join('lab-results', 'search'));
  const earlier = settingsIn(outDir);
  const before = values.resume ? earlier : undefined;
  const asked = {
    trials: values.trials ?? TRIALS,
    jobs: values.jobs ?? 1,
    seconds: values.seconds ?? before?.seconds ?? SECONDS,
    seed: values.seed ?? before?.seed ?? SEED,
  };
  const path = values.traces === undefined ? (before?.traces ?? null) : resolve(values.traces);
  const traces = path === null ? await mahimahis() : await readTraces(path);
  splitByRank(traces);
  if (earlier && !values.resume)
    throw new Error(`${outDir} has a search already; add --resume, or choose another --out`);
  const { seconds, seed } = asked;
  await lifeCycle(outDir, async ({ signal, print }) => {
    const film = await ensureDefaultContent({ onProgress: print });
    const python = await ensurePython(print, ['search']);
    keepSettings(outDir, { traces: path, seconds, seed, names: traces.map(({ name }) => name) });
    const program = { python, env: pythonEnv() };
    const searching = { ...asked, traces, film: film.directory, program, outDir, print, signal };
    const found = await search(searching);
    writeFound(outDir, found, { ...asked, command, traces, path });
    console.log(describeFound(found).join('\n'));
    console.log(`${outDir}/report.html`);
    return signal.aborted ? 'cut off' : 'complete';
  });
}
