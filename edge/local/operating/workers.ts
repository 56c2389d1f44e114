import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds, type Milliseconds } from '../../../src/units.ts';
import { errorLine } from '../../../system/error-line.ts';
import type { PaceChange } from '../changes/pace-changes.ts';
import type { Log } from '../logging/log.ts';
import { addCounters, type Families } from '../metrics/families.ts';
import { workerFamilies } from '../metrics/worker-families.ts';
import type { AsTableFile } from '../networks/as-table.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Service } from './service.ts';
import type { LiveSettings, Settings } from './settings.ts';
import { addSnapshots, NOTHING_DONE, type Snapshot } from './snapshot.ts';

/** The delay before a dead worker is replaced, so that repeated failures to start do not keep a core busy. */
const REPLACE_AFTER_MS = 1000;

/** Workers that still run this long after the end of `patience` are killed. */
const ENDING_MS = 5000;

/**
 * Serves with several processes that share the port. This process accepts the connections and distributes them to the
 * workers in turn (node:cluster's round robin), so that all workers have about the same number. It serves nothing
 * itself. If the first worker cannot serve, throws an Error with the worker's message. All workers have the same table
 * of autonomous systems.
 */
export async function startWorkers(
  settings: Settings,
  asTable: AsTableFile | null,
  log: Log,
): Promise<Service> {
  const workers = new Workers(settings, asTable, log);
  const { url, port } = await workers.start();
  try {
    await Promise.all(Array.from({ length: settings.workers - 1 }, () => workers.start()));
  } catch (error) {
    await workers.end(milliseconds(0));
    throw error;
  }
  workers.replacing = true;
  return {
    url,
    port,
    isServing: () => workers.serving > 0,
    snapshot: () => workers.snapshot(),
    reload(live) {
      log.level = live.logLevel;
      workers.reload(live);
    },
    changePace: (change) => workers.changePace(change),
    drain: (patience) => workers.end(patience),
    close: () => workers.end(milliseconds(0)),
  };
}

class Workers {
  /** The running workers, each with its latest counters. */
  readonly #running = new Map<Worker, { serving: boolean; snapshot: Snapshot }>();
  /** The counters of workers that have ended. */
  #ended = NOTHING_DONE;
  #replaced = 0;
  /** Resolves when the counters of all ended workers have been added to `#ended`. */
  #adding: Promise<unknown> = Promise.resolve();
  /** Whether a worker that dies is replaced. */
  replacing = false;

  constructor(
    /** The current settings, also for future workers. */
    public settings: Settings,
    readonly asTable: AsTableFile | null,
    readonly log: Log,
  ) {}

  get serving(): number {
    return [...this.#running.values()].filter(({ serving }) => serving).length;
  }

  async snapshot(): Promise<Snapshot> {
    await this.#adding;
    const { stats, processes } = addSnapshots([
      this.#ended,
      ...[...this.#running.values()].map(({ snapshot }) => snapshot),
    ]);
    const own = await workerFamilies({ running: this.serving, replaced: this.#replaced });
    return { stats, processes: [...processes, own] };
  }

  /** Sends the settings to all workers. A worker that is still starting gets them later. */
  reload(live: LiveSettings): void {
    this.settings = { ...this.settings, live };
    for (const worker of this.#running.keys()) sendTo(worker, { kind: 'reload', live });
  }

  /** Forwards a change to all workers except the one that received the request. */
  changePace(change: PaceChange, from?: Worker): void {
    for (const worker of this.#running.keys())
      if (worker !== from) sendTo(worker, { kind: 'change', change });
  }

  /** Starts a worker. Resolves when it serves. Throws a one-line Error if it cannot serve. */
  async start(): Promise<{ readonly url: string; readonly port: number }> {
    const worker = cluster.fork();
    const state = { serving: false, snapshot: NOTHING_DONE };
    const { asTable } = this;
    let begunWith = this.settings;
    this.#running.set(worker, state);
    worker.once('exit', (status: number | null, signal: string | null) =>
      this.#exited(worker, signal ?? `status ${status}`),
    );
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'starting') {
          begunWith = this.settings;
          sendTo(worker, { kind: 'begin', settings: begunWith, asTable });
        } else if (message.kind === 'failed') reject(new Error(message.line));
        else if (message.kind === 'done-so-far') state.snapshot = message.snapshot;
        else if (message.kind === 'change') this.changePace(message.change, worker);
        else {
          state.serving = true;
          const { live } = this.settings;
          if (live !== begunWith.live) sendTo(worker, { kind: 'reload', live });
          resolve(message);
        }
      });
      worker.once('exit', () => reject(new Error('a worker ended before it served')));
    });
  }

  /** Ends all workers. Workers that do not end in time are killed with SIGKILL. */
  async end(patience: Milliseconds): Promise<void> {
    this.replacing = false;
    for (const worker of this.#running.keys()) sendTo(worker, { kind: 'end', patience });
    const deadline = performance.now() + patience + ENDING_MS;
    while (this.#running.size > 0) {
      if (performance.now() > deadline)
        for (const { process } of this.#running.keys()) process.kill('SIGKILL');
      await sleep(20);
    }
  }

  #exited(worker: Worker, how: string): void {
    const { stats, processes } = this.#running.get(worker)?.snapshot ?? NOTHING_DONE;
    this.#running.delete(worker);
    this.#adding = this.#adding.then(async () => {
      const ended = { stats: { ...stats, connections: 0 }, processes };
      const sum = addSnapshots([this.#ended, ended]);
      const counters: Families[] = sum.processes.length > 0 ? [await addCounters(sum.processes)] : [];
      this.#ended = { stats: sum.stats, processes: counters };
    });
    if (!this.replacing) return;
    this.log.error(`worker ${worker.process.pid} died (${how}); another takes its place`);
    void this.#replace();
  }

  async #replace(): Promise<void> {
    await sleep(REPLACE_AFTER_MS);
    if (!this.replacing) return;
    this.#replaced += 1;
    // A worker that cannot start exits, and #exited then schedules a replacement.
    await this.start().catch((error: unknown) =>
      this.log.error(`a worker did not start: ${errorLine(error)}`),
    );
  }
}

function sendTo(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}
