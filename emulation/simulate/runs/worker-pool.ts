import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RunOutcome } from '../../runs/experiment.ts';
import { RunSimulator, type SimulatedSpec } from './simulate-run.ts';
import type { Answer, Question } from './worker.ts';

export interface RunMaker {
  make(spec: SimulatedSpec): Promise<RunOutcome>;
  close(): void;
}

/** Makes runs in `jobs` processes; if that is 1, in this process. */
export function runMakers(jobs: number): RunMaker {
  if (jobs > 1) return new WorkerPool(jobs);
  const simulator = new RunSimulator();
  return { make: (spec) => simulator.make(spec), close: () => undefined };
}

/** Processes that stay, since one takes half a second to start and a run takes milliseconds. */
class WorkerPool implements RunMaker {
  readonly #workers: ChildProcess[];
  readonly #waiting = new Map<number, (outcome: RunOutcome) => void>();
  #count = 0;

  constructor(jobs: number) {
    const program = fileURLToPath(new URL('./worker.ts', import.meta.url));
    this.#workers = Array.from({ length: jobs }, () => {
      const worker = fork(program, {
        execArgv: ['--import', 'tsx'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      worker.on('message', (answer) => this.#answered(answer as Answer));
      worker.once('exit', (status) =>
        this.#failed(`a process of the simulator ended with status ${status ?? 'unknown'}`),
      );
      return worker;
    });
  }

  make(spec: SimulatedSpec): Promise<RunOutcome> {
    const id = this.#count++;
    const worker = this.#workers[id % this.#workers.length];
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      const question: Question = { id, spec };
      if (worker?.connected) worker.send(question);
      else this.#failed('a process of the simulator has ended');
    });
  }

  close(): void {
    for (const worker of this.#workers) {
      worker.removeAllListeners('exit');
      if (worker.connected) worker.disconnect();
    }
  }

  #answered({ id, outcome }: Answer): void {
    this.#waiting.get(id)?.(outcome);
    this.#waiting.delete(id);
  }

  /** Ends all waiting runs of a process that failed as failed ones, so that they are made again. */
  #failed(reason: string): void {
    for (const resolve of this.#waiting.values()) resolve({ kind: 'failed', reason });
    this.#waiting.clear();
  }
}
