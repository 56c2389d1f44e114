import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSessionManifest, type SessionManifest } from '../../player/records/session-manifest.ts';
import { readDecisions } from '../../player/records/read-decisions.ts';
import { readRuns, runFolder } from '../../player/records/read-runs.ts';
import { readSeries } from '../../player/records/series.ts';
import { cellName, type RunRecord } from '../../player/records/run-record.ts';
import { PLAYBACK_EVENTS, type PlaybackEvent } from '../../player/records/play.ts';
import type { ExportedSession } from './exported-session.ts';
import { readUnpaced } from './unpaced-rows.ts';

/** The start of the time of simulated sessions, which have none of their own: run K is at hour K of the year 2000. */
const SIMULATED_MS = Date.UTC(2000, 0, 1);
const HOUR_MS = 3_600_000;

/**
 * Returns an experiment's finished sessions, which are read on demand, and the names of sessions without
 * `playback.csv`.
 */
export function readSessions(outDir: string): {
  readonly manifest: SessionManifest;
  readonly sessions: readonly (() => ExportedSession)[];
  readonly older: readonly string[];
} {
  const manifest = readSessionManifest(outDir);
  const runs = readRuns(outDir);
  if (runs.length === 0) throw new Error(`${outDir} has no finished sessions`);
  const hasPlayback = (run: RunRecord) => existsSync(join(runFolder(outDir, run), 'playback.csv'));
  return {
    manifest,
    sessions: runs.filter(hasPlayback).map((run) => () => readSession(outDir, manifest, run)),
    older: runs.filter((run) => !hasPlayback(run)).map(formatRunName),
  };
}

const formatRunName = ({ arm, condition, k }: RunRecord): string => `${cellName(arm, condition)}/${k}`;

function readSession(outDir: string, manifest: SessionManifest, run: RunRecord): ExportedSession {
  const folder = runFolder(outDir, run);
  const { experiment, started, versions } = manifest;
  return {
    session_id: `${experiment.name}@${started}/${formatRunName(run)}`,
    expt_id: experiment.arms.indexOf(run.arm) + 1,
    channel: versions.film ?? 'film',
    arm: run.arm,
    condition: run.condition ?? null,
    began_ms: startTime_ms(run),
    seconds: run.seconds,
    decisions: readDecisions(folder),
    buffer: readSeries(folder, 'buffer.csv', 'buffer_s'),
    playback: readPlayback(join(folder, 'playback.csv')),
    unpaced: readUnpaced(join(folder, 'unpaced.csv')),
  };
}

function startTime_ms({ requested, started, simulated, k }: RunRecord): number {
  const began_ms = Date.parse(requested ?? started);
  return simulated && began_ms === 0 ? SIMULATED_MS + k * HOUR_MS : began_ms;
}

/** Reads `playback.csv`. Throws an Error that names an invalid line. */
function readPlayback(file: string): PlaybackEvent[] {
  const [, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return rows.map((row, index) => {
    const [t_s, name, buffer_s] = row.split(',');
    const event = PLAYBACK_EVENTS.find((known) => known === name);
    const moment = { t_s: Number(t_s), buffer_s: Number(buffer_s) };
    if (event && Number.isFinite(moment.t_s) && Number.isFinite(moment.buffer_s)) return { ...moment, event };
    throw new Error(
      `${file}: line ${index + 2} is not a time, an event and a buffer level: '${row.slice(0, 60)}'`,
    );
  });
}
