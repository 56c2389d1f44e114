import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isRecord } from '../../../src/records.ts';
import { errorLine } from '../../../system/error-line.ts';

/**
 * The columns whose values are taken from a session's first row, because the client may move to another cluster.
 * analysis/ has the same list.
 */
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
 * Prints the sessions that are stored in a directory, one line of JSON per session: its last row, with the cluster, arm
 * and window of its first row. Skips incomplete rows, and rows whose unit differs from the session's first row, and
 * prints their number to stderr.
 */
export async function printSessions(args: readonly string[], print: (line: string) => void): Promise<void> {
  const [directory, ...rest] = args;
  if (directory === undefined || rest.length > 0)
    throw new Error('expected one argument, the directory of --sessions');
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

/** Returns the values of START_COLUMNS in a session's first row. JSON omits missing values, which are undefined. */
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
