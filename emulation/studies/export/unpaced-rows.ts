import { existsSync, readFileSync } from 'node:fs';
import type { Unpaced } from '../../player/model/simulated-session.ts';
import type { Row, UNPACED } from './columns.ts';
import type { ExportedSession } from './exported-session.ts';

export const unpacedRows = ({ session_id, unpaced = [] }: ExportedSession): Row<typeof UNPACED>[] =>
  unpaced.map(({ sequence, unpaced_ms }) => ({ session_id, index: 0, sequence, unpaced_ms }));

/**
 * Reads a run's `unpaced.csv`; undefined if the run's network was not forked. Throws an Error that names an invalid
 * line.
 */
export function readUnpaced(file: string): Unpaced[] | undefined {
  if (!existsSync(file)) return undefined;
  const [, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return rows.map((row, index) => {
    const [sequence = NaN, unpaced_ms = NaN] = row.split(',').map(Number);
    if (Number.isInteger(sequence) && unpaced_ms > 0) return { sequence, unpaced_ms };
    throw new Error(`${file}: line ${index + 2} is not a sequence number and a time: '${row.slice(0, 60)}'`);
  });
}
