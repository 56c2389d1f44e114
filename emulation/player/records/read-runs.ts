import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorLine } from '../../../system/error-line.ts';
import { metrics } from './metrics.ts';
import { cellName, type RunRecord } from './run-record.ts';
import { asFields, asList, asNumber, asNumberOrNull, asText, asTime } from '../../ground/files/check.ts';
import { checkMachine } from './check-machine.ts';
import { readJson } from '../../ground/files/read-json.ts';

/**
 * The finished runs of an experiment, by cell and number. A folder without `session.json` is an unfinished run; an
 * invalid `session.json` throws an Error that names the file.
 */
export function readRuns(outDir: string): RunRecord[] {
  return foldersIn(join(outDir, 'runs')).flatMap((cell) =>
    foldersIn(join(outDir, 'runs', cell))
      .map((k) => ({ k, file: join(outDir, 'runs', cell, k, 'session.json') }))
      .filter(({ file }) => existsSync(file))
      .map(({ k, file }) => readRun(file, cell, k))
      .sort((a, b) => a.k - b.k),
  );
}

function readRun(file: string, cell: string, k: string): RunRecord {
  try {
    return readJson(file, (value) => checkRun(value, cell, k));
  } catch (error) {
    throw new Error(`${errorLine(error)}; delete its folder, and --resume makes the run again`, {
      cause: error,
    });
  }
}

/** The folder with a run's series. */
export const runFolder = (outDir: string, { arm, condition, k }: RunRecord): string =>
  join(outDir, 'runs', cellName(arm, condition), String(k));

const foldersIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : [];

const metricNames: ReadonlySet<string> = new Set(metrics.map(({ name }) => name));

function checkRun(value: unknown, cell: string, folder: string): RunRecord {
  const run = asFields(value, 'a run');
  const condition = run.condition === undefined ? undefined : asText(run.condition, 'condition');
  const named = cellName(asText(run.arm, 'arm'), condition);
  if (named !== cell) throw new Error(`a run of '${named}' in the folder of '${cell}'`);
  const k = asNumber(run.k, 'k');
  if (String(k) !== folder) throw new Error(`run ${k} in the folder of run ${folder}`);
  asTime(run.started, 'started');
  asNumber(run.seconds, 'seconds');
  checkCalibration(run.calibration);
  asNumber(run.machine_busy_pct, 'machine_busy_pct');
  if (run.machine !== undefined) checkMachine(run.machine);
  if (run.too_busy !== undefined) asText(run.too_busy, 'too_busy');
  if (run.player_error !== undefined) asText(run.player_error, 'player_error');
  for (const warning of asList(run.warnings, 'warnings')) asText(warning, 'a warning');
  asFields(run.summary, 'summary');
  for (const [name, measured] of Object.entries(asFields(run.metrics, 'metrics'))) {
    if (!metricNames.has(name)) throw new Error(`metrics: no metric is called '${name}'`);
    asNumberOrNull(measured, `metrics: ${name}`);
  }
  return value as RunRecord;
}

function checkCalibration(value: unknown): void {
  const calibration = asFields(value, 'calibration');
  if (calibration.valid !== true) throw new Error('calibration: not valid, so the run must not be averaged');
  for (const field of ['rtt_ms', 'expected_rtt_ms']) asNumber(calibration[field], `calibration: ${field}`);
  for (const field of ['rate_mbps', 'expected_rate_mbps']) {
    asNumberOrNull(calibration[field], `calibration: ${field}`);
  }
}
