import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionManifest } from '../report/manifest.ts';
import { replaceFiles } from '../../system/replace-files.ts';
import { bufferRows } from './buffer-rows.ts';
import { CLIENT_BUFFER, UNPACED, VIDEO_ACKED, VIDEO_SENT } from './columns.ts';
import { ParquetTable } from './parquet-table.ts';
import { readSessions } from './read-sessions.ts';
import { storyOf } from './stalls.ts';
import { unpacedRows } from './unpaced-rows.ts';
import { videoRows } from './video-rows.ts';

/** How many rows each table has, and the sessions that are too old for it. */
export interface Exported {
  readonly sessions: number;
  readonly rows: Readonly<Record<'video_sent' | 'video_acked' | 'client_buffer', number>> & {
    readonly unpaced?: number;
  };
  readonly older: readonly string[];
}

/**
 * Writes the sessions of a folder of the lab or the simulator as Puffer's open data (Fugu, Appendix B) into another:
 * `video_sent.parquet`, `video_acked.parquet`, `client_buffer.parquet` and `expt_settings`; and `unpaced.parquet`, which is
 * ours, of simulated sessions whose network was forked.
 */
export function exportSessions(outDir: string, folder: string): Exported {
  const { manifest, sessions, older } = readSessions(outDir);
  if (sessions.length === 0)
    throw new Error(`the sessions of ${outDir} have no playback.csv: an older lab made them; run it anew`);
  mkdirSync(folder, { recursive: true });
  const unpacedFile = join(folder, 'unpaced.parquet');
  rmSync(unpacedFile, { force: true });
  const tables = {
    video_sent: new ParquetTable(join(folder, 'video_sent.parquet'), VIDEO_SENT),
    video_acked: new ParquetTable(join(folder, 'video_acked.parquet'), VIDEO_ACKED),
    client_buffer: new ParquetTable(join(folder, 'client_buffer.parquet'), CLIENT_BUFFER),
    unpaced: new ParquetTable(unpacedFile, UNPACED),
  };
  let forked = false;
  try {
    for (const read of sessions) {
      const session = read();
      const story = storyOf(session.playback, session.seconds);
      const { sent, acked } = videoRows(session, story);
      tables.video_sent.add(sent);
      tables.video_acked.add(acked);
      tables.client_buffer.add(bufferRows(session, story));
      tables.unpaced.add(unpacedRows(session));
      forked ||= session.unpaced !== undefined;
    }
    replaceFiles(folder, { expt_settings: settingsOf(manifest) });
    const rows = {
      video_sent: tables.video_sent.close(),
      video_acked: tables.video_acked.close(),
      client_buffer: tables.client_buffer.close(),
      ...(forked && { unpaced: tables.unpaced.close() }),
    };
    return { sessions: sessions.length, rows, older };
  } finally {
    for (const table of Object.values(tables)) table.discard();
  }
}

/** A line for each group of the experiment: its number, and its settings as JSON. */
const settingsOf = ({ experiment: { arms, congestionControl = 'reno' } }: SessionManifest): string =>
  arms
    .map(
      (arm, index) => `${index + 1} ${JSON.stringify({ abr: arm, abr_name: arm, cc: congestionControl })}\n`,
    )
    .join('');
