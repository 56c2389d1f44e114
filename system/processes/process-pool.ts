import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nodeOptionsFor } from '../bundle/node-options.ts';
import type { Answered, WorkMessage, Work } from './work.ts';

const ENDED_EARLY = 'ended early';

/** Whether a process is running. `connected` alone may still be true after the process has ended. */
const isThere = ({ connected, exitCode, signalCode }: ChildProcess): boolean =>
  connected && exitCode === null && signalCode === null;

/** Ignores a failed send: the process is ending, and its `exit` event reports the failure. */
const leftToExit = (): void => undefined;

/**
 * A pool of up to `processes` processes that run tasks of one kind. A process is started when first needed, and reused,
 * because a start takes half a second. If a process ends, only its current task fails, and another process is started
 * for the next task.
 */
export class ProcessPool<Shared, Task, Result> {
  readonly #work: Work<Shared, Task, Result>;
  readonly #shared: Shared;
  readonly #most: number;
  readonly #processes = new Set<ChildProcess>();
  readonly #idle: ChildProcess[] = [];
  readonly #waiting: ((process: ChildProcess | undefined) => void)[] = [];
  #ended = false;

  constructor(work: Work<Shared, Task, Result>, shared: Shared, processes: number) {
    this.#work = work;
    this.#shared = shared;
    this.#most = processes;
  }

  /**
   * Runs a task. Throws a one-line Error if the task fails, its process ends, or the pool is aborted. `signal` aborts
   * the whole pool.
   */
  async ask(task: Task, signal?: AbortSignal): Promise<Result> {
    const abort = () => this.abort();
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      return await this.#ask(task);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async #ask(task: Task): Promise<Result> {
    const process = await this.#free();
    if (!process || this.#ended) throw new Error(ENDED_EARLY);
    const answered = await new Promise<Answered<Result>>((resolve) => {
      const fail = (error: string) => resolve({ error });
      process.once('message', (message) => resolve(message as Answered<Result>));
      process.once('error', ({ message }) => fail(message));
      process.once('exit', (status, signal) =>
        fail(
          this.#ended
            ? ENDED_EARLY
            : `a process of ${this.#work.of} ended with status ${status ?? signal ?? 'unknown'}`,
        ),
      );
      process.send({ task } satisfies WorkMessage<Shared, Task>, leftToExit);
    });
    process.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit');
    this.#release(process);
    if ('error' in answered) throw new Error(answered.error);
    return answered.result;
  }

  /** Disconnects the processes, which makes them exit. The pool accepts no more tasks. */
  close(): void {
    this.#end();
    for (const process of this.#processes) if (process.connected) process.disconnect();
  }

  /** Kills all processes, with their tasks. */
  abort(): void {
    this.#end();
    for (const process of this.#processes) process.kill('SIGKILL');
  }

  #end(): void {
    this.#ended = true;
    for (const give of this.#waiting.splice(0)) give(undefined);
  }

  #free(): Promise<ChildProcess | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (isThere(idle)) return Promise.resolve(idle);
      this.#processes.delete(idle);
    }
    if (this.#processes.size < this.#most) return Promise.resolve(this.#start());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #start(): ChildProcess {
    const { program, options = [] } = this.#work;
    const process = fork(fileURLToPath(program), {
      execArgv: [...options, ...nodeOptionsFor(program)],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    process.send({ shared: this.#shared } satisfies WorkMessage<Shared, Task>, leftToExit);
    this.#processes.add(process);
    return process;
  }

  /** Gives the process, or a new one if it has ended, to the task that has waited longest. */
  #release(process: ChildProcess): void {
    const lost = !isThere(process);
    if (lost) this.#processes.delete(process);
    const next = this.#waiting.shift();
    if (next) next(lost ? this.#start() : process);
    else if (!lost) this.#idle.push(process);
  }
}
