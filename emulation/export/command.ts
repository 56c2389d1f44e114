import { join, resolve } from 'node:path';
import type { Values } from '../words.ts';
import { exportSessions } from './export-sessions.ts';

/** `lab export`: sessions as tables for learning and for the statistics of analysis/. */
export function exportFolder(folder: string | undefined, values: Values): void {
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
