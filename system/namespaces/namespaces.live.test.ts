import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { ip } from './ip.ts';
import { createNamespace, withNamespaces } from './namespaces.ts';

const reason = process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'not root on Linux';
const there = (): string[] => readdirSync('/run/netns');
const [first, second] = [createNamespace('first'), createNamespace('second')];

/** Whether a process is running. A zombie is not. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Starts a process with a namespace and a program in it, both of which run until they are ended. */
async function another() {
  const program = `
    const { spawn } = await import('node:child_process');
    const { createNamespace, withNamespaces } = await import(${JSON.stringify(new URL('namespaces.ts', import.meta.url).href)});
    await withNamespaces([createNamespace('left')], 'reno', () => new Promise((resolve) => {
      process.stdin.resume().on('end', resolve);
      const { pid } = spawn('ip', ['netns', 'exec', createNamespace('left'), 'sleep', '600'], { stdio: 'ignore' });
      console.log(pid);
    }));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [inside] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, name: `sammy-${child.pid}-left`, inside: Number(inside) };
}

describe.skipIf(reason !== undefined)(`network namespaces${reason ? ` (skipped: ${reason})` : ''}`, () => {
  test('reports a namespace that cannot be removed, and removes all others', async () => {
    const removed = withNamespaces([first, second], 'reno', () => {
      ip(undefined, 'netns', 'del', first);
      return Promise.resolve();
    });
    await expect(removed).rejects.toThrow(`ip netns del ${first} failed`);
    expect(there()).not.toContain(second);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'removes the namespaces and programs of a process that %s ends',
    async (signal) => {
      const { child, name, inside } = await another();
      expect(there()).toContain(name);
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      // A killed process cannot remove its namespaces; the next process does.
      if (signal === 'SIGKILL') await withNamespaces([], 'reno', () => Promise.resolve());
      expect(there()).not.toContain(name);
      await vi.waitFor(() => expect(isRunning(inside)).toBe(false));
    },
  );

  test('keeps the namespaces of a running process', async () => {
    const { child, name } = await another();
    await withNamespaces([first], 'reno', () => Promise.resolve());
    expect(there()).toContain(name);
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
    expect(there()).not.toContain(name);
  });
});
