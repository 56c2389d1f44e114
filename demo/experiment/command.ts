import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { wholeNumber } from '../../system/command-line/parsers.ts';
import { progressPrinter } from '../../system/progress.ts';
import { runPython } from '../../system/python.ts';
import { sessionsIn } from './link.ts';
import { CONFIGURATION, runExperiment, TREATMENT } from './run.ts';

const commandLine = defineCommandLine({
  command: 'npm run demo:experiment --',
  about:
    "An experiment from its configuration to its verdict, in a few minutes: two edges that assign viewers to arms, twenty sessions in Chromium that play with their arm's options and report how it went, and what the analysis says of them.",
  options: {
    out: { valueName: 'DIR', about: 'the folder for configuration, sessions and report (experiment-demo)' },
    force: { about: 'replace that folder if an earlier run left it' },
    days: {
      valueName: 'N',
      about: "evenings of four sessions each, by a clock of the edges' that is turned in between (5)",
      parse: wholeNumber(1, 60),
    },
    seconds: { valueName: 'S', about: 'what each viewer watches (6)', parse: wholeNumber(1, 20) },
  },
});
export const { help } = commandLine;

/** The number of viewers per link, so that an evening has more than one session. */
const VIEWERS = 2;

export async function main(args: string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const { out: folder = 'experiment-demo', force = false, days = 5, seconds = 6 } = values;
  await makeRoom(folder, force);
  const onProgress = progressPrinter();
  try {
    const rows = await runExperiment({ folder, days, seconds, viewers: VIEWERS, onProgress });
    onProgress.end();
    console.log(
      `${rows.length} sessions are stored in ${sessionsIn(folder)}. The treatment limits the bitrate to ` +
        `${TREATMENT.max_bitrate_kbps} kbit/s; the control does not. npm run experiment says:\n`,
    );
    const report = ['--out', join(folder, 'experiment.html')];
    process.exitCode = await runPython('sammy_analysis', ['analyze', sessionsIn(folder), ...report], {
      onProgress,
    });
  } finally {
    onProgress.end();
  }
}

/** Throws an Error if the folder exists. With `force`, deletes a folder that an earlier run of this command left. */
async function makeRoom(folder: string, force: boolean): Promise<void> {
  if (!existsSync(folder)) return;
  if (!force) throw new Error(`--out: '${folder}' exists; use --force to replace it, or name another folder`);
  if (!existsSync(join(folder, CONFIGURATION)))
    throw new Error(
      `--out: '${folder}' has no ${CONFIGURATION}, so no earlier run left it; name another folder`,
    );
  await rm(folder, { recursive: true });
}
