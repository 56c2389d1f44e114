import { join, resolve } from 'node:path';
import { ensureDefaultContent } from '../../media/sources/footage.ts';
import { onEndingSignal } from '../../system/ending-signals.ts';
import { progressPrinter } from '../../system/progress.ts';
import { ensurePython, pythonEnv } from '../../system/python.ts';
import { mahimahis } from '../experiments/traces.ts';
import { readTraces } from '../links/trace-files/read-traces.ts';
import { CUT_OFF_STATUS, wholeNumber, type Values } from '../words.ts';
import { describeFound, writeFound } from './results.ts';
import { search } from './search.ts';
import { keepSettings, settingsIn } from './settings.ts';
import { splitByRank } from './split.ts';

const TRIALS = 200;
const SECONDS = 120;
const SEED = 1;

/** `lab search`: looks for better constants in virtual time, and writes what it found. */
export async function searchConstants(values: Values, command: string): Promise<void> {
  const outDir = resolve(values.out ?? join('lab-results', 'search'));
  const before = settingsIn(outDir);
  if (before && !values.resume)
    throw new Error(`${outDir} has a search already; add --resume, or choose another --out`);
  const asked = {
    trials: wholeNumber(values, 'trials', 1) ?? TRIALS,
    jobs: wholeNumber(values, 'jobs', 1) ?? 1,
    seconds: wholeNumber(values, 'seconds', 5) ?? before?.seconds ?? SECONDS,
    seed: wholeNumber(values, 'seed', 0) ?? before?.seed ?? SEED,
  };
  const path = values.traces === undefined ? (before?.traces ?? null) : resolve(values.traces);
  const traces = path === null ? await mahimahis() : await readTraces(path);
  splitByRank(traces);
  const { seconds, seed } = asked;
  const print = progressPrinter();
  const ending = new AbortController();
  const stopListening = onEndingSignal(() => ending.abort());
  try {
    const film = await ensureDefaultContent({ onProgress: print });
    const python = await ensurePython(print, ['search']);
    keepSettings(outDir, { traces: path, seconds, seed, names: traces.map(({ name }) => name) });
    const program = { python, env: pythonEnv() };
    const found = await search({
      ...asked,
      traces,
      film: film.directory,
      program,
      outDir,
      print,
      signal: ending.signal,
    });
    writeFound(outDir, found, { ...asked, command, traces, path });
    print.end();
    console.log(describeFound(found).join('\n'));
    console.log(`${outDir}/report.html`);
    if (!ending.signal.aborted) return;
    console.error('Cut off; finished trials are kept, and --resume goes on');
    process.exitCode = CUT_OFF_STATUS;
  } finally {
    print.end();
    stopListening();
  }
}
