import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { ip } from './ip.ts';
import { createNamespace, withNamespaces } from './namespaces.ts';

const reason = process.platform === 'linux' && process.getuid?.() === 0 ? undefined : 'not root on Linux';
const there = (): string[] => readdirSync('/run/netns');
const [first, second] = [createNamespace('first'), createNamespace('second')];

/** Also one that has ended and that nobody has waited for is not. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** A process with a namespace and a program in it, which waits to be ended. */
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
  test('a namespace that cannot be removed is reported, and the others are removed', async () => {
    const removed = withNamespaces([first, second], 'reno', () => {
      ip(undefined, 'netns', 'del', first);
      return Promise.resolve();
    });
    await expect(removed).rejects.toThrow(`ip netns del ${first} failed`);
    expect(there()).not.toContain(second);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'are removed after %s ends a process and its programs',
    async (signal) => {
      const { child, name, inside } = await another();
      expect(there()).toContain(name);
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      // Who is killed has no time to remove any; the next one does it.
      if (signal === 'SIGKILL') await withNamespaces([], 'reno', () => Promise.resolve());
      expect(there()).not.toContain(name);
      await vi.waitFor(() => expect(isRunning(inside)).toBe(false));
    },
  );

  test('of a running process are kept', async () => {
    const { child, name } = await another();
    await withNamespaces([first], 'reno', () => Promise.resolve());
    expect(there()).toContain(name);
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
    expect(there()).not.toContain(name);
  });
});
