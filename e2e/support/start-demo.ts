import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs `npm start` as a newcomer does, and waits until it prints the demo's URL. */
export async function startDemo(...args: string[]): Promise<{ url: string; stop: () => Promise<void> }> {
  const child: ChildProcess = spawn('npm', ['start', '--', '--port', '0', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const stop = async () => {
    if (child.exitCode !== null || child.pid === undefined) return;
    // npm, the launcher and the demo are one process group. A Ctrl-C in a terminal goes to the whole group.
    process.kill(-child.pid, 'SIGINT');
    await once(child, 'exit');
  };
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    const [, url] = /Open (http:\S+)/.exec(line) ?? [];
    if (url !== undefined) {
      child.stdout?.resume();
      return { url, stop };
    }
  }
  throw new Error('npm start ended before it printed its address; see its messages above');
}
