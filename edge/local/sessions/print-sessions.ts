import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isRecord } from '../../../src/records.ts';
import { lineOf } from '../../../system/line-of.ts';

interface Last {
  readonly unit: unknown;
  readonly sequence: number;
  readonly line: string;
}

/**
 * Prints the sessions that were stored in a directory, a line of JSON each: of every session the last row. Rows that are not
 * whole, and rows of a session under another unit than its first, are left out and counted on stderr.
 */
export async function printSessions(args: readonly string[], print: (line: string) => void): Promise<void> {
  const [directory, ...rest] = args;
  if (directory === undefined || rest.length > 0) throw new Error('give the one directory of --sessions');
  const sessions = new Map<string, Last>();
  let leftOut = 0;
  for (const path of filesOf(directory)) {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      const row = parse(line);
      const last = row && sessions.get(row.session_id);
      if (!row || (last && last.unit !== row.unit)) leftOut += 1;
      else if (!last || row.sequence >= last.sequence) {
        sessions.set(row.session_id, { unit: row.unit, sequence: row.sequence, line });
      }
    }
  }
  for (const { line } of sessions.values()) print(line);
  if (leftOut > 0) console.error(`${leftOut} rows were left out: not whole, or of another unit`);
}

function filesOf(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith('.ndjson'));
    return names.sort().map((name) => join(directory, name));
  } catch (error) {
    throw new Error(`the sessions in '${directory}' cannot be read: ${lineOf(error)}`, { cause: error });
  }
}

function parse(line: string): { session_id: string; unit: unknown; sequence: number } | null {
  try {
    const row: unknown = JSON.parse(line);
    if (!isRecord(row)) return null;
    const { session_id, unit, sequence } = row;
    return typeof session_id === 'string' && typeof sequence === 'number'
      ? { session_id, unit, sequence }
      : null;
  } catch {
    return null;
  }
}
