import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { NOBODY } from '../topology/shell.ts';

export interface DelayShell {
  /** A process behind the delay. */
  readonly pid: number;
  close(): Promise<void>;
}

const START_WITHIN_MS = 10_000;
const END_WITHIN_MS = 5_000;

/** mahimahi's mm-delay, inside a network namespace: half of the round trip each way. It ends with this process. */
export async function openDelayShell(namespace: string, rtt_ms: number): Promise<DelayShell> {
  // A mahimahi shell hands packets on to its parent namespace only where that forwards.
  const child = spawn(
    'nsenter',
    [
      `--net=/run/netns/${namespace}`,
      'sh',
      '-c',
      'echo 1 > /proc/sys/net/ipv4/ip_forward && exec "$@"',
      'sh',
      // Before all else that wants a processor: a delay shell that waits for one delays more.
      'nice',
      '--adjustment=-20',
      'setpriv',
      `--reuid=${NOBODY.uid}`,
      `--regid=${NOBODY.gid}`,
      '--clear-groups',
      'mm-delay',
      String(rtt_ms / 2),
      'sh',
      '-c',
      'echo "$$"; exec cat >/dev/null',
    ],
    { env: { PATH: process.env.PATH, HOME: '/tmp', USER: 'nobody' }, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const close = async (): Promise<void> => {
    child.stdin.end();
    const impatient = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
    await exited;
    clearTimeout(impatient);
  };
  const words = once(child.stdout.setEncoding('utf8'), 'data', {
    signal: AbortSignal.timeout(START_WITHIN_MS),
  }).catch(() => ['']);
  const [text] = (await Promise.race([words, exited.then(() => [''])])) as [string];
  const pid = Number(text.trim());
  if (pid > 0) return { pid, close };
  await close();
  throw new Error(
    `mm-delay did not start: ${said.trim().split('\n').at(-1) ?? ''}; npm run lab -- doctor tells more`,
  );
}
