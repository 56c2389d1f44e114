import { fork } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Carrier, Lane } from './carrier.ts';
import { TrialPlayer, type Course } from './trial-player.ts';
import type { Written } from './worker.ts';

/** Each lane is a process; if there is one, it is this process. */
export const virtualTime: Carrier = {
  sessionsOfAPart: 20,
  besides_s: null,
  async open(course, jobs) {
    if (jobs > 1) return Array.from({ length: jobs }, () => inProcess(course));
    const player = await TrialPlayer.of(course);
    return [
      {
        async write(part) {
          player.write(part);
          // So that Ctrl-C is heard.
          await setImmediate();
        },
        close: () => undefined,
      },
    ];
  },
};

function inProcess(course: Course): Lane {
  const worker = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  worker.send(course);
  return {
    write: (part) =>
      new Promise<void>((resolve, reject) => {
        worker.once('message', ({ error }: Written) =>
          error === undefined ? resolve() : reject(new Error(error)),
        );
        worker.once('error', reject);
        worker.once('exit', (status) =>
          reject(new Error(`a process of the trial ended with status ${status ?? 'unknown'}`)),
        );
        worker.send(part);
      }).finally(() => worker.removeAllListeners()),
    close() {
      if (worker.connected) worker.disconnect();
    },
  };
}
