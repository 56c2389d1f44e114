/* A live switch: TAP interfaces in network namespaces, and a thread that forwards between them. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { compileFile } from '../../compiler/compile.ts';
import type { SwitchConfig } from '../config.ts';
import type { LiveStart, LiveStatus, NewEntry, Reply, Request } from './messages.ts';
import { startThread } from '../../start-thread.ts';
import { closeTap, openTap, placeTap } from './tap.ts';

type Question = Request extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never;

const LOOP = new URL('loop.ts', import.meta.url);
/** A switch that does not answer within this time, in milliseconds, has died. */
const ANSWER_DEADLINE = 5000;

export class LiveSwitch {
  private readonly worker: Worker;
  private readonly fds: readonly number[];
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private nextId = 1;
  private stopping: Promise<LiveStatus> | undefined;
  /** What the thread died of. */
  private death: Error | undefined;
  /** Rejects with the error that the thread died of. */
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
        this.death = error instanceof Error ? error : new Error(String(error));
        for (const [id, answer] of this.waiting) answer({ id, error: this.death.message });
        this.waiting.clear();
        reject(this.death);
      });
    });
    // Requests that wait for an answer fail with the same error.
    this.died.catch(() => undefined);
  }

  /**
   * Makes the interfaces and starts forwarding; what is wrong is known before anything is made. A benchmark puts
   * another thread in the place of the switch's.
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
          throw new Error(`the port ${port} has no interface; live mode wants one for every port`);
        const fd = openTap(name);
        fds.push(fd);
        placeTap(name, settings);
        taps.push({ port, fd });
      }
      const worker = startThread(thread, { config, taps } satisfies LiveStart);
      // The first message says that the loop runs; an error before it is thrown here.
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

  /** The same, and from here on the lateness counts anew. */
  restartLateness(): Promise<LiveStatus> {
    return this.ask({ what: 'status', restartLateness: true }) as Promise<LiveStatus>;
  }

  register(name: string, from = 0, count = 1): Promise<unknown[]> {
    return this.ask({ what: 'register', name, from, count }) as Promise<unknown[]>;
  }

  async writeRegister(name: string, index: number, value: bigint): Promise<void> {
    await this.ask({ what: 'write', name, index, value });
  }

  /** Adds an entry to a table while packets go on. */
  async addEntry(entry: NewEntry): Promise<void> {
    await this.ask({ what: 'add', ...entry });
  }

  counter(name: string, index: number): Promise<{ packets: number; bytes: number }> {
    return this.ask({ what: 'counter', name, index }) as Promise<{ packets: number; bytes: number }>;
  }

  /** Stops forwarding and removes the interfaces; returns the last counts, the same however often it is asked. */
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

  private async ask(question: Question): Promise<unknown> {
    if (this.death) throw new Error(`the switch has stopped: ${this.death.message}`, { cause: this.death });
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error(`the switch did not answer '${question.what}' within ${ANSWER_DEADLINE / 1000} s`));
      }, ANSWER_DEADLINE);
      this.waiting.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (error === undefined) resolve(result);
        else reject(new Error(error));
      });
      this.worker.postMessage({ id, ...question });
    });
  }
}
