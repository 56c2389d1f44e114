import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionManifest } from '../../player/records/session-manifest.ts';
import { replaceFiles } from '../../../system/replace-files.ts';
import type { ExportedSession } from './exported-session.ts';
import { readSessions } from './read-sessions.ts';
import { writeTables, type Rows } from './write-tables.ts';

/** The number of rows in each table, and the sessions that are too old to be exported. */
export interface Exported {
  readonly sessions: number;
  readonly rows: Rows;
  readonly older: readonly string[];
}

/**
 * Writes the sessions in a results folder into another folder in the format of Puffer's open data (Fugu, Appendix B):
 * `video_sent.parquet`, `video_acked.parquet`, `client_buffer.parquet` and `expt_settings`; also `unpaced.parquet` for
 * simulated sessions whose network was forked.
 */
export function exportSessions(outDir: string, folder: string): Exported {
  if (existsSync(join(outDir, 'key.json')))
    throw new Error(`${outDir} is a trial, whose tables are there already: see docs/lab/trial.md`);
  const { manifest, sessions, older } = readSessions(outDir);
  if (sessions.length === 0)
    throw new Error(
      `the sessions of ${outDir} have no playback.csv: an older version made them; run the study again`,
    );
  const rows = writeTables(folder, oneByOne(sessions));
  replaceFiles(folder, { expt_settings: formatSettings(manifest) });
  return { sessions: sessions.length, rows, older };
}

/** Reads each session only after the previous one has been written, to save memory. */
function* oneByOne(sessions: readonly (() => ExportedSession)[]): Generator<ExportedSession> {
  for (const read of sessions) yield read();
}

/** Formats a line for each arm of the experiment: its number, and its settings as JSON. */
const formatSettings = ({ experiment: { arms, congestionControl = 'reno' } }: SessionManifest): string =>
  arms
    .map(
      (arm, index) => `${index + 1} ${JSON.stringify({ abr: arm, abr_name: arm, cc: congestionControl })}\n`,
    )
    .join('');
