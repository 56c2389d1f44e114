import { runQuietly } from '../../system/run-quietly.ts';
import { LINK_FIRST, delayShell, startShell, type Shell } from './shell.ts';

/**
 * mahimahi's mm-delay in a network namespace, whose parent it thereby is; `folder` is the shell's home. It ends with
 * this process.
 */
export async function openDelayIn(
  namespace: string,
  each_way_ms: number,
  folder: string,
): Promise<Pick<Shell, 'pid' | 'close'>> {
  const within = ['nsenter', `--net=/run/netns/${namespace}`, '--'];
  const run = (...command: string[]) => {
    const [program = '', ...args] = [...within, ...command];
    return runQuietly(program, args);
  };
  // A mahimahi shell hands packets on to its parent namespace only where that forwards.
  await run('sysctl', '-qw', 'net.ipv4.ip_forward=1');
  await run('ip', 'link', 'set', 'lo', 'up');
  return startShell(folder, [...within, ...LINK_FIRST, ...delayShell(each_way_ms)]);
}
