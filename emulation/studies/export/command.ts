import { join, resolve } from 'node:path';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';
import { exportSessions } from './export-sessions.ts';

const commandLine = defineCommandLine({
  command: 'npm run lab -- export',
  usage: 'DIR [options]',
  about:
    "The sessions in DIR as Puffer's open data: video_sent, video_acked and client_buffer as Parquet, whose columns docs/reference/puffer.md lists.",
  maxPositionals: 1,
  options: { out: { valueName: 'FOLDER', about: 'where the tables go (DIR/puffer)' } },
});
export const { help } = commandLine;

/** Sessions as tables for learning and for the statistics of analysis/. */
export function main(args: readonly string[]): void {
  const { positionals, values } = commandLine.parse(args);
  const [folder] = positionals;
  if (folder === undefined) throw new Error('export: which folder?');
  const outDir = resolve(folder);
  const into = resolve(values.out ?? join(outDir, 'puffer'));
  const { sessions, rows, older } = exportSessions(outDir, into);
  if (older.length > 0)
    console.warn(`${older.length} sessions have no playback.csv and are left out, such as ${older[0]}`);
  console.log(
    `${into}: ${sessions} sessions, ${Object.entries(rows)
      .map(([table, count]) => `${table} ${count}`)
      .join(', ')}`,
  );
}
