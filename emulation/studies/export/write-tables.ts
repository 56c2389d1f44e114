import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorLine } from '../../../system/error-line.ts';
import { bufferRows } from './buffer-rows.ts';
import { CLIENT_BUFFER, UNPACED, VIDEO_ACKED, VIDEO_SENT } from './columns.ts';
import type { ExportedSession } from './exported-session.ts';
import { ParquetTable } from './parquet-table.ts';
import { analyzePlayback } from './stalls.ts';
import { unpacedRows } from './unpaced-rows.ts';
import { videoRows } from './video-rows.ts';

/** The number of rows in each table. */
export type Rows = Readonly<Record<'video_sent' | 'video_acked' | 'client_buffer', number>> & {
  readonly unpaced?: number;
};

/**
 * Writes sessions in order as `video_sent.parquet`, `video_acked.parquet` and `client_buffer.parquet` (Fugu, Appendix
 * B) into a folder, and `unpaced.parquet` if a network was forked. If reading a session throws an Error, or the disk is
 * full, the folder's tables stay unchanged.
 */
export function writeTables(folder: string, sessions: Iterable<ExportedSession>): Rows {
  mkdirSync(folder, { recursive: true });
  const unpacedFile = join(folder, 'unpaced.parquet');
  const tables = {
    video_sent: new ParquetTable(join(folder, 'video_sent.parquet'), VIDEO_SENT),
    video_acked: new ParquetTable(join(folder, 'video_acked.parquet'), VIDEO_ACKED),
    client_buffer: new ParquetTable(join(folder, 'client_buffer.parquet'), CLIENT_BUFFER),
    unpaced: new ParquetTable(unpacedFile, UNPACED),
  };
  let forked = false;
  try {
    for (const session of sessions) {
      const { sent, acked, buffer } = makeRows(session);
      tables.video_sent.add(sent);
      tables.video_acked.add(acked);
      tables.client_buffer.add(buffer);
      tables.unpaced.add(unpacedRows(session));
      forked ||= session.unpaced !== undefined;
    }
    const rows = {
      video_sent: tables.video_sent.finish(),
      video_acked: tables.video_acked.finish(),
      client_buffer: tables.client_buffer.finish(),
      ...(forked && { unpaced: tables.unpaced.finish() }),
    };
    const { unpaced, ...always } = tables;
    for (const table of Object.values(always)) table.publish();
    if (forked) unpaced.publish();
    else rmSync(unpacedFile, { force: true });
    return rows;
  } finally {
    for (const table of Object.values(tables)) table.discard();
  }
}

/** Makes the rows of a session. If a value fits into no table, throws an Error that names the session. */
function makeRows(session: ExportedSession) {
  try {
    const story = analyzePlayback(session.playback, session.seconds);
    return { ...videoRows(session, story), buffer: bufferRows(session, story) };
  } catch (error) {
    throw new Error(`session ${session.session_id}: ${errorLine(error)}`, { cause: error });
  }
}
