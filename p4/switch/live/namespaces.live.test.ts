import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ip } from './ip.ts';
import { liveLack } from './live-lack.ts';
import { namespaceOf, withNamespaces } from './namespaces.ts';

const reason = liveLack();
const there = (): string[] => readdirSync('/run/netns');
const [first, second] = [namespaceOf('first'), namespaceOf('second')];

/** A process with a namespace, which waits to be ended. */
async function another() {
  const program = `
    const { namespaceOf, withNamespaces } = await import(${JSON.stringify(new URL('namespaces.ts', import.meta.url).href)});
    await withNamespaces([namespaceOf('left')], 'reno', () => new Promise((resolve) => {
      process.stdin.resume().on('end', resolve);
      console.log('made');
    }));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return { child, name: `p4-${child.pid}-left` };
}

describe.skipIf(reason !== undefined)(`network namespaces${reason ? ` (skipped: ${reason})` : ''}`, () => {
  test('one that cannot be removed is told of, and leaves no other', async () => {
    const removed = withNamespaces([first, second], 'reno', () => {
      ip(undefined, 'netns', 'del', first);
      return Promise.resolve();
    });
    await expect(removed).rejects.toThrow(`ip netns del ${first} failed`);
    expect(there()).not.toContain(second);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('what a process leaves that %s ends is gone', async (signal) => {
    const { child, name } = await another();
    expect(there()).toContain(name);
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    // Who is killed has no time to remove any; the next one does it.
    if (signal === 'SIGKILL') await withNamespaces([], 'reno', () => Promise.resolve());
    expect(there()).not.toContain(name);
  });

  test('those of a process that is there stay', async () => {
    const { child, name } = await another();
    await withNamespaces([first], 'reno', () => Promise.resolve());
    expect(there()).toContain(name);
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
    expect(there()).not.toContain(name);
  });
});
