import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { ENDING_SIGNALS } from '../ending-signals.ts';
import { ProcessPool } from './process-pool.ts';
import { serveWork } from './serve-work.ts';
import { sumsEnded, sumsKept, type Sum } from './testing/sums.ts';
import { defineWork } from './work.ts';

const BASE = 100;
const pools: { close(): void }[] = [];
function createPool(processes: number, work = sumsKept) {
  const pool = new ProcessPool(work, BASE, processes);
  pools.push(pool);
  return pool;
}
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});
const slow = (add: number): Sum => ({ add, how: 'takes 300 ms' });

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a pool of processes', () => {
  it('answers each task with at most the given number of processes', async () => {
    const pool = createPool(2);
    const done = await Promise.all([1, 2, 3, 4, 5].map((add) => pool.ask({ add })));
    expect(done.map(({ sum }) => sum)).toEqual([101, 102, 103, 104, 105]);
    expect(new Set(done.map(({ pid }) => pid)).size).toBeLessThanOrEqual(2);
    expect(done.every(({ pid }) => pid !== process.pid)).toBe(true);
  });

  it('continues after a failed task, and after a process has ended', async () => {
    const pool = createPool(1);
    await expect(pool.ask({ add: 1, how: 'throws' })).rejects.toThrow(/^no sum of 1$/);
    const { pid } = await pool.ask({ add: 2 });
    await expect(pool.ask({ add: 3, how: 'exits' })).rejects.toThrow(
      /^a process of the test ended with status 3$/,
    );
    const after = await pool.ask({ add: 4 });
    expect(after.sum).toBe(104);
    expect(after.pid).not.toBe(pid);
    process.kill(after.pid, 'SIGKILL');
    // When this process has reaped the child, the pool knows that it has ended.
    await expect.poll(() => exists(after.pid)).toBe(false);
    expect((await pool.ask({ add: 5 })).sum).toBe(105);
  });

  // A closed terminal sends SIGHUP to all its processes. Running tasks must not fail.
  it.each(ENDING_SIGNALS)('finishes running tasks at %s', async (signal) => {
    const pool = createPool(1);
    const { pid } = await pool.ask({ add: 0 });
    const asked = pool.ask(slow(1));
    process.kill(pid, signal);
    expect(await asked).toEqual({ sum: 101, pid });
  });

  it('ends at a signal with the option ended', async () => {
    const pool = createPool(1, sumsEnded);
    const { pid } = await pool.ask({ add: 0 });
    const asked = pool.ask(slow(1));
    process.kill(pid, 'SIGHUP');
    await expect(asked).rejects.toThrow('a process of the test ended with status SIGHUP');
  });

  it('ends without an error message when its owner is killed', async () => {
    const [pool, work] = ['process-pool.ts', 'testing/sums.ts'].map(
      (name) => new URL(name, import.meta.url).href,
    );
    const program = `
      const { ProcessPool } = await import(${JSON.stringify(pool)});
      const { sumsKept } = await import(${JSON.stringify(work)});
      const pool = new ProcessPool(sumsKept, 1, 1);
      await pool.ask({ add: 0 });
      void pool.ask({ add: 0, how: 'computes for 300 ms' });
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50);`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
    const asker = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    asker.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
    // The pool's process shares this stream, which closes when both have ended.
    await once(asker.stderr, 'close');
    expect(complaint).toBe('');
  });

  it('ends running, waiting and later tasks when aborted', async () => {
    const pool = createPool(1);
    const asked = [slow(1), slow(2)].map((task) => pool.ask(task));
    pool.abort();
    for (const each of [...asked, pool.ask({ add: 3 })]) await expect(each).rejects.toThrow(/^ended early$/);
  });

  it('has typed tasks and answers', () => {
    const lengths = defineWork<undefined, string, number>({ of: 'x', program: sumsKept.program });
    const wrong = () => {
      // @ts-expect-error The result of this work is a number.
      serveWork(lengths, () => Promise.resolve((text: string) => text));
      // @ts-expect-error The tasks of this work are strings.
      void new ProcessPool(lengths, undefined, 1).ask(1);
      // @ts-expect-error The program of another work.
      const other: typeof lengths = sumsKept;
      return other;
    };
    expect(wrong).toBeTypeOf('function');
  });
});
