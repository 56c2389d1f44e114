import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, afterAll, expect, it } from 'vitest';
import { runWithin } from './run-within.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-within-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether a process exists and is not a zombie; in a container, zombies may never be reaped. */
const isRunning = (pid: string): boolean =>
  existsSync(`/proc/${pid}/stat`) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');

const HOUR_MS = 3_600_000;
const shell = (deadline_ms: number, script: string) =>
  runWithin(deadline_ms, 'sh', ['-c', script], { cwd: folder, grace_ms: 300 });

it.runIf(process.platform === 'linux')(
  'ends a program and its children at the deadline, even if they ignore SIGTERM',
  async () => {
    const script = "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > child; sleep 60' & wait; wait; sleep 60";
    expect(await shell(500, script)).toBe('hung');
    expect(isRunning(readFileSync(join(folder, 'child'), 'utf8').trim())).toBe(false);
  },
);

it.runIf(process.platform === 'linux')('ends processes that a program left running', async () => {
  expect(await shell(HOUR_MS, 'sleep 60 & echo $! > left')).toBe('ended');
  expect(isRunning(readFileSync(join(folder, 'left'), 'utf8').trim())).toBe(false);
});

it('fails if the program does not exist', async () => {
  await expect(runWithin(HOUR_MS, join(folder, 'nothing'), [])).rejects.toThrow('ENOENT');
});
