import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { nodeOptionsFor } from '../../../system/bundle/node-options.ts';
import { ENDED_EARLY, type RunOutcome } from './study.ts';
import type { RunProgram } from './run-program.ts';

/** The time that a run has to stop the programs that it started, before it is killed. */
const END_WITHIN_MS = 20_000;

/**
 * Makes one run in a separate process. `signal` or the end of `within_s` ends the run early; such a run counts as
 * failed.
 */
export async function inProcess<Spec extends object>(
  { module }: RunProgram<Spec>,
  spec: Spec,
  { within_s, signal }: { readonly within_s: number; readonly signal: AbortSignal },
): Promise<RunOutcome> {
  // Created before the child, because an invalid timeout, such as a fraction of a millisecond, throws and would leave the
  // child running.
  const ending = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(within_s * 1000))]);
  const child = fork(fileURLToPath(module), {
    execArgv: nodeOptionsFor(module),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  try {
    return await new Promise<RunOutcome>((resolve) => {
      const fail = (reason: string) => resolve({ kind: 'failed', reason });
      child.once('message', (outcome) => resolve(outcome as RunOutcome));
      child.once('error', (error) => fail(error.message));
      child.once('exit', (status) => fail(`the process of the run ended with status ${status ?? 'unknown'}`));
      const end = () => fail(signal.aborted ? ENDED_EARLY : 'took too long');
      ending.addEventListener('abort', end, { once: true });
      if (ending.aborted) end();
      else child.send(spec);
    });
  } finally {
    // The programs that the run started end when its pipes close: mahimahi's `cat`, the browser, the neighbors.
    if (child.exitCode === null) child.kill('SIGTERM');
    const impatient = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
    await exited.catch(() => undefined);
    clearTimeout(impatient);
  }
}
