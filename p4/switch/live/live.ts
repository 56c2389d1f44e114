/* A live switch: TAP interfaces in network namespaces, and a thread that forwards between these interfaces. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { compileFile } from '../../compiler/compile.ts';
import type { SwitchConfig } from '../config.ts';
import type { LiveStart, LiveStatus, NewEntry, Reply, Request } from './messages.ts';
import { startThread } from '../../start-thread.ts';
import { closeTap, openTap, placeTap } from './tap.ts';

type RequestBody = Request extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never;

const LOOP = new URL('loop.ts', import.meta.url);
/** Milliseconds after which an unanswered request fails, because the switch has died. */
const ANSWER_DEADLINE_MS = 5000;

export class LiveSwitch {
  private readonly worker: Worker;
  private readonly fds: readonly number[];
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private nextId = 1;
  private stopping: Promise<LiveStatus> | undefined;
  /** The error that ended the thread. */
  private threadError: Error | undefined;
  /** Rejects with the error that ended the thread. */
  readonly died: Promise<never>;

  private constructor(worker: Worker, fds: readonly number[]) {
    this.worker = worker;
    this.fds = fds;
    worker.on('message', (reply: Reply) => {
      this.waiting.get(reply.id)?.(reply);
      this.waiting.delete(reply.id);
    });
    this.died = new Promise((_, reject) => {
      worker.on('error', (error) => {
        this.threadError = error instanceof Error ? error : new Error(String(error));
        for (const [id, answer] of this.waiting) answer({ id, error: this.threadError.message });
        this.waiting.clear();
        reject(this.threadError);
      });
    });
    // Prevents an unhandled rejection: pending requests report the same error.
    this.died.catch(() => undefined);
  }

  /**
   * Creates the interfaces and starts forwarding. If the program does not compile, nothing is created. Benchmarks pass
   * a `thread` of their own instead of the switch's thread.
   */
  static async start(config: SwitchConfig, thread = LOOP): Promise<LiveSwitch> {
    const { diagnostics } = compileFile(config.program);
    if (diagnostics.failed) throw new Error(`${config.program} does not compile:\n${diagnostics.render()}`);
    const fds: number[] = [];
    try {
      const taps: { port: number; fd: number }[] = [];
      for (const [port, settings] of config.ports) {
        const { interface: name } = settings;
        if (name === undefined)
          throw new Error(`the port ${port} has no interface; live mode requires one for every port`);
        const fd = openTap(name);
        fds.push(fd);
        placeTap(name, settings);
        taps.push({ port, fd });
      }
      const worker = startThread(thread, { config, taps } satisfies LiveStart);
      // The thread's first message means that the loop is running. If the thread fails earlier, this line throws its
      // error.
      await once(worker, 'message');
      return new LiveSwitch(worker, fds);
    } catch (error) {
      for (const fd of fds) closeTap(fd);
      throw error;
    }
  }

  status(): Promise<LiveStatus> {
    return this.ask({ what: 'status' }) as Promise<LiveStatus>;
  }

  /** Returns the status and restarts the measurement of lateness. */
  restartLateness(): Promise<LiveStatus> {
    return this.ask({ what: 'status', restartLateness: true }) as Promise<LiveStatus>;
  }

  register(name: string, from = 0, count = 1): Promise<unknown[]> {
    return this.ask({ what: 'register', name, from, count }) as Promise<unknown[]>;
  }

  async writeRegister(name: string, index: number, value: bigint): Promise<void> {
    await this.ask({ what: 'write', name, index, value });
  }

  /** Adds a table entry without interrupting traffic. */
  async addEntry(entry: NewEntry): Promise<void> {
    await this.ask({ what: 'add', ...entry });
  }

  counter(name: string, index: number): Promise<{ packets: number; bytes: number }> {
    return this.ask({ what: 'counter', name, index }) as Promise<{ packets: number; bytes: number }>;
  }

  /** Stops forwarding and removes the interfaces. Returns the final counts; later calls return the same result. */
  stop(): Promise<LiveStatus> {
    return (this.stopping ??= this.stopOnce());
  }

  private async stopOnce(): Promise<LiveStatus> {
    try {
      return (await this.ask({ what: 'stop' })) as LiveStatus;
    } finally {
      await this.worker.terminate();
      for (const fd of this.fds) closeTap(fd);
    }
  }

  private async ask(body: RequestBody): Promise<unknown> {
    if (this.threadError)
      throw new Error(`the switch has stopped: ${this.threadError.message}`, { cause: this.threadError });
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error(`the switch did not answer '${body.what}' within ${ANSWER_DEADLINE_MS / 1000} s`));
      }, ANSWER_DEADLINE_MS);
      this.waiting.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (error === undefined) resolve(result);
        else reject(new Error(error));
      });
      this.worker.postMessage({ id, ...body });
    });
  }
}
