import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunRecord } from '../../emulation/player/records/run-record.ts';
import { runQuietly } from '../../system/run-quietly.ts';

const ROOT = new URL('../..', import.meta.url);
const made = new Map<string, Promise<Metrics>>();

/** The metrics of each arm's first run, by the arm's name. */
type Metrics = Readonly<Record<string, RunRecord['metrics']>>;

/**
 * Runs a command that the site shows, `npm run lab -- run STUDY --link virtual ...`, at most once, and reads its
 * results.
 */
export function simulatedBy(command: string): Promise<Metrics> {
  const known = made.get(command) ?? run(command);
  made.set(command, known);
  return known;
}

async function run(command: string): Promise<Metrics> {
  const out = await mkdtemp(join(tmpdir(), 'dashjs-sammy-site-'));
  try {
    const [program = '', ...words] = command.split(' ');
    await runQuietly(program, [...words, '--out', out], { cwd: ROOT.pathname });
    const cells = await readdir(join(out, 'runs'));
    const entries = cells.map(async (cell) => {
      const text = await readFile(join(out, 'runs', cell, '1', 'session.json'), 'utf8');
      const { arm, metrics } = JSON.parse(text) as RunRecord;
      return [arm, metrics] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
