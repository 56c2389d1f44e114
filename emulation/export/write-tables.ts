import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bufferRows } from './buffer-rows.ts';
import { CLIENT_BUFFER, UNPACED, VIDEO_ACKED, VIDEO_SENT } from './columns.ts';
import type { ExportedSession } from './exported-session.ts';
import { ParquetTable } from './parquet-table.ts';
import { storyOf } from './stalls.ts';
import { unpacedRows } from './unpaced-rows.ts';
import { videoRows } from './video-rows.ts';

/** How many rows each table has. */
export type Rows = Readonly<Record<'video_sent' | 'video_acked' | 'client_buffer', number>> & {
  readonly unpaced?: number;
};

/**
 * Writes sessions, one after the other, as `video_sent.parquet`, `video_acked.parquet` and `client_buffer.parquet` (Fugu,
 * Appendix B) into a folder, and `unpaced.parquet` where a network was forked. If one of them throws an Error, there are none
 * of the tables.
 */
export function writeTables(folder: string, sessions: Iterable<ExportedSession>): Rows {
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
    for (const session of sessions) {
      const story = storyOf(session.playback, session.seconds);
      const { sent, acked } = videoRows(session, story);
      tables.video_sent.add(sent);
      tables.video_acked.add(acked);
      tables.client_buffer.add(bufferRows(session, story));
      tables.unpaced.add(unpacedRows(session));
      forked ||= session.unpaced !== undefined;
    }
    return {
      video_sent: tables.video_sent.close(),
      video_acked: tables.video_acked.close(),
      client_buffer: tables.client_buffer.close(),
      ...(forked && { unpaced: tables.unpaced.close() }),
    };
  } finally {
    for (const table of Object.values(tables)) table.discard();
  }
}
