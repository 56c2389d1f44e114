import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRecord } from '../records/run-record.ts';
import { writeCsv, writeTable } from '../../ground/files/csv.ts';
import type { Played } from '../records/play.ts';

/** The time series of a session. */
export interface RunSeries {
  readonly link: readonly object[];
  /** The queue of the P4 switch; undefined for mahimahi. */
  readonly queue: readonly object[] | undefined;
  readonly tcp: readonly object[];
  /** The neighbor's rows; the first row is the header. */
  readonly neighbor: readonly (readonly (string | number | null)[])[] | undefined;
}

/** Writes the files of one run, which `RunRecord` lists. */
export async function writeRun(
  folder: string,
  record: RunRecord,
  { decisions, buffer, playback, history }: Played,
  { link, queue, tcp, neighbor }: RunSeries,
): Promise<void> {
  const into = (name: string) => join(folder, name);
  await writeFile(into('decisions.jsonl'), decisions.map((each) => `${JSON.stringify(each)}\n`).join(''));
  await writeCsv(into('buffer.csv'), ['t_s', 'buffer_s'], buffer);
  await writeCsv(
    into('playback.csv'),
    ['t_s', 'event', 'buffer_s'],
    playback.map(({ t_s, event, buffer_s }) => [t_s, event, buffer_s]),
  );
  await writeTable(into('link.csv'), link);
  if (queue) await writeTable(into('queue.csv'), queue);
  await writeTable(into('tcp.csv'), tcp);
  if (neighbor) {
    const [header = [], ...rows] = neighbor;
    await writeCsv(into('neighbor.csv'), header.map(String), rows);
  }
  await writeFile(into('history.json'), `${JSON.stringify({ sessions_kbps: history })}\n`);
  await writeFile(into('session.json'), `${JSON.stringify(record, null, 2)}\n`);
}
