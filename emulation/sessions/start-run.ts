import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RunOutcome, RunSpec } from './run-spec.ts';

/** What a run may take beyond its session: link, calibration, browser, reading logs. */
const PATIENCE_S = 300;
/** For ending the browser and the shells. */
const END_WITHIN_MS = 20_000;

/** The reason of a run that was given up. */
export const ENDED_EARLY = 'ended early';

/** Makes one run in a process of its own. `signal` ends it early; then it is a failed one. */
export async function startRun(spec: RunSpec, signal: AbortSignal): Promise<RunOutcome> {
  const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const patience = AbortSignal.timeout((spec.seconds + PATIENCE_S) * 1000);
  const ending = AbortSignal.any([signal, patience]);
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
    // What it has started hangs on its pipes: mahimahi's `cat`, the browser's pipe, the neighbours' channel.
    if (child.exitCode === null) child.kill('SIGTERM');
    const impatient = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
    await exited.catch(() => undefined);
    clearTimeout(impatient);
  }
}
