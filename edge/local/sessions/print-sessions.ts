import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isRecord } from '../../../src/records.ts';
import { errorLine } from '../../../system/error-line.ts';

/** The columns that a session keeps from its first row, wherever the client moves. analysis/ has the same list. */
const START_COLUMNS = [
  'experiment',
  'cluster',
  'arm',
  'allocation',
  'window',
  'washout',
  'started_at',
] as const;

type Row = Readonly<Record<string, unknown>> & {
  readonly session_id: string;
  readonly sequence: number;
};

/**
 * Prints the sessions stored in a directory, one line of JSON each: the last row of every session, with cluster, arm and
 * window of the first. Incomplete rows, and rows of a session under another unit than its first, are skipped and counted on
 * stderr.
 */
export async function printSessions(args: readonly string[], print: (line: string) => void): Promise<void> {
  const [directory, ...rest] = args;
  if (directory === undefined || rest.length > 0) throw new Error('give the one directory of --sessions');
  const sessions = new Map<string, { readonly unit: unknown; first: Row; last: Row }>();
  let leftOut = 0;
  for (const path of listFiles(directory)) {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      const row = parse(line);
      const kept = row && sessions.get(row.session_id);
      if (!row || (kept && kept.unit !== row.unit)) leftOut += 1;
      else if (!kept) sessions.set(row.session_id, { unit: row.unit, first: row, last: row });
      else {
        if (row.sequence < kept.first.sequence) kept.first = row;
        if (row.sequence >= kept.last.sequence) kept.last = row;
      }
    }
  }
  for (const { first, last } of sessions.values()) print(JSON.stringify({ ...last, ...startColumns(first) }));
  if (leftOut > 0) console.error(`${leftOut} rows were left out: not whole, or of another unit`);
}

/** The values of START_COLUMNS in a session's first row. A missing one is undefined, which JSON leaves out. */
const startColumns = (first: Row): object =>
  Object.fromEntries(START_COLUMNS.map((field) => [field, first[field]]));

function listFiles(directory: string): string[] {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith('.ndjson'));
    return names.sort().map((name) => join(directory, name));
  } catch (error) {
    throw new Error(`the sessions in '${directory}' cannot be read: ${errorLine(error)}`, { cause: error });
  }
}

function parse(line: string): Row | null {
  try {
    const row: unknown = JSON.parse(line);
    if (!isRecord(row)) return null;
    const { session_id, sequence } = row;
    return typeof session_id === 'string' && typeof sequence === 'number'
      ? { ...row, session_id, sequence }
      : null;
  } catch {
    return null;
  }
}
