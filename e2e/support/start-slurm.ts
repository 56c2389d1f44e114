import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeTogether } from '../../system/close-together.ts';
import { freePort } from '../../system/free-port.ts';
import { runQuietly } from '../../system/run-quietly.ts';

const READY_WITHIN_MS = 60_000;
const END_WITHIN_MS = 10_000;

export interface Slurm {
  /** Runs one of Slurm's programs, and resolves to its output. */
  run(
    program: string,
    args: readonly string[],
    options?: { cwd?: string; env?: NodeJS.ProcessEnv },
  ): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts a Slurm with one node. Its daemons, keys and state belong to this test only: all of them are in `folder`, on
 * free ports.
 */
export async function startSlurm(folder: string): Promise<Slurm> {
  const at = (name: string) => join(folder, name);
  for (const name of ['state', 'spool']) mkdirSync(at(name));
  writeFileSync(at('munge.key'), randomBytes(1024), { mode: 0o400 });
  writeFileSync(at('slurm.conf'), await configuration(at));
  const env = { ...process.env, SLURM_CONF: at('slurm.conf') };
  return closeTogether(async (onClose) => {
    const start = (program: string, ...args: string[]) => {
      const log = openSync(at(`${program}.log`), 'a');
      const daemon = spawn(program, args, { env, stdio: ['ignore', log, log] });
      onClose(() => end(daemon));
    };
    const files = [
      'key-file=munge.key',
      'socket=munge.socket',
      'pid-file=munge.pid',
      'log-file=munge.log',
      'seed-file=munge.seed',
    ];
    start(
      'munged',
      '--foreground',
      '--force',
      ...files.map((each) => `--${each.replace('=', `=${folder}/`)}`),
    );
    await until(() => runQuietly('munge', ['--no-input', `--socket=${at('munge.socket')}`]).then(() => true));
    start('slurmctld', '-D', '-i');
    start('slurmd', '-D');
    await until(
      async () => (await runQuietly('sinfo', ['--noheader', '--format=%T'], { env })).trim() === 'idle',
    );
    return {
      run: (program, args, { cwd, env: more }: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
        runQuietly(program, args, { ...(cwd !== undefined && { cwd }), env: { ...env, ...more } }),
    };
  });
}

async function configuration(at: (name: string) => string): Promise<string> {
  const host = hostname().split('.', 1)[0] ?? 'localhost';
  return `ClusterName=lab
SlurmctldHost=${host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=${at('munge.socket')}
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort=${await freePort()}
SlurmdPort=${await freePort()}
StateSaveLocation=${at('state')}
SlurmdSpoolDir=${at('spool')}
SlurmctldPidFile=${at('slurmctld.pid')}
SlurmdPidFile=${at('slurmd.pid')}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SelectType=select/linear
MpiDefault=none
NodeName=${host} NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=lab Nodes=ALL Default=YES State=UP
`;
}

/** Polls until `asked` returns true. An error counts as false. */
export async function until(asked: () => Promise<boolean>, within_ms = READY_WITHIN_MS): Promise<void> {
  const deadline = performance.now() + within_ms;
  let last: unknown;
  while (performance.now() < deadline) {
    if (await asked().catch((error: unknown) => ((last = error), false))) return;
    await sleep(500);
  }
  throw new Error(`the condition was not met within ${within_ms} ms`, { cause: last });
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const exited = once(daemon, 'exit');
  daemon.kill('SIGTERM');
  const impatient = setTimeout(() => daemon.kill('SIGKILL'), END_WITHIN_MS);
  await exited;
  clearTimeout(impatient);
}
