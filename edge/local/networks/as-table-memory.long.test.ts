import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
/** A text in a comment of the table, which nothing that is derived from the table contains. */
const COMMENT = 'only-the-text-of-the-table-has-this';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'edge-as-memory-'));
  writeFileSync(join(folder, '1.m4s'), 'media');
  writeFileSync(join(folder, 'table.txt'), `# ${COMMENT}\n127.0.0.0/8 64496\n${'# \n'.repeat(100_000)}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the id of the process that serves: the edge itself, or its only worker. */
function findServingProcess({ pid = 0 }: ChildProcess, workers: number): number {
  if (workers === 1) return pid;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('--workers')) ?? 0;
}

/** Returns the heap snapshot of a process. It has all reachable strings, and long strings are truncated. */
async function readHeapSnapshot(pid: number): Promise<string> {
  process.kill(pid, 'SIGUSR2');
  const path = () => readdirSync(folder).find((name) => name.endsWith(`.${pid}.0.001.heapsnapshot`));
  const text = () =>
    existsSync(join(folder, path() ?? 'none')) ? readFileSync(join(folder, path() ?? '')) : '';
  await expect.poll(() => text().toString().endsWith(']}'), { timeout: 60_000, interval: 200 }).toBe(true);
  return text().toString();
}

it.skipIf(process.platform !== 'linux').each([1, 2])(
  'none of %i serving processes keeps the text of a table beside the table',
  async (workers) => {
    const clusters = ['--cluster', 'AS{asn}', '--as-table', join(folder, 'table.txt')];
    const args = ['--origin', folder, '--port', '0', '--workers', String(workers), ...clusters];
    const edge = spawn(process.execPath, ['--import', 'tsx', 'tools/main.ts', 'edge', ...args], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}` },
    });
    try {
      let log = '';
      for (const stream of [edge.stdout, edge.stderr])
        stream.on('data', (text: Buffer) => (log += text.toString()));
      await expect.poll(() => log, { timeout: 60_000 }).toMatch(/^serving .* at \S+\n/m);
      const [, url = ''] = /^serving .* at (\S+)\n/m.exec(log) ?? [];
      expect(await (await fetch(`${url}/1.m4s`)).text()).toBe('media');
      const strings = await readHeapSnapshot(findServingProcess(edge, workers));
      expect(strings).toContain('AS{asn}');
      expect(strings).not.toContain(COMMENT);
    } finally {
      edge.kill('SIGKILL');
    }
  },
  120_000,
);
