import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TunedArm } from '../arms/tuned.ts';
import type { Outcome } from './outcome.ts';
import type { Course, Done, Task } from './worker.ts';

interface Waiting {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** Plays sessions in virtual time, in processes that stay. */
export class Evaluator {
  readonly #course: Course;
  readonly #workers: ChildProcess[];
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  #failure: Error | undefined;

  constructor(course: Course, jobs: number) {
    this.#course = course;
    const program = fileURLToPath(new URL('./worker.ts', import.meta.url));
    this.#workers = Array.from({ length: jobs }, () => {
      const worker = fork(program, {
        execArgv: ['--import', 'tsx'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      worker.on('message', (done) => this.#done(done as Done));
      worker.once('error', (error) => this.#failed(error));
      worker.once('exit', (status) =>
        this.#failed(new Error(`a process of the simulator ended with status ${status ?? 'unknown'}`)),
      );
      worker.send(course);
      return worker;
    });
  }

  /** Plays an arm on all traces of the course, in their order. Throws an Error of one line when a session fails. */
  evaluate(arm: string | TunedArm): Promise<Outcome[]> {
    return Promise.all(this.#course.traces.map((_, trace) => this.#play({ arm, trace })));
  }

  #play(task: Omit<Task, 'id'>): Promise<Outcome> {
    const id = this.#count++;
    return new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      this.#waiting.set(id, { resolve, reject });
      this.#workers[id % this.#workers.length]?.send({ ...task, id } satisfies Task);
    });
  }

  close(): void {
    for (const worker of this.#workers) {
      worker.removeAllListeners('exit');
      if (worker.connected) worker.disconnect();
    }
  }

  /** Ends all that is under way. */
  abort(): void {
    for (const worker of this.#workers) worker.kill('SIGTERM');
    this.#failed(new Error('ended early'));
  }

  #done(done: Done): void {
    const waiting = this.#waiting.get(done.id);
    this.#waiting.delete(done.id);
    if ('outcome' in done) waiting?.resolve(done.outcome);
    else waiting?.reject(new Error(done.error));
  }

  #failed(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
