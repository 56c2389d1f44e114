import { constants, existsSync } from 'node:fs';
import { mkdir, open, readFile, readdir, rmdir, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runQuietly } from '../../../system/run-quietly.ts';
import { monotonic_ms } from '../../ground/clock/monotonic.ts';
import { parseAckEvent, type AckEvent } from './ack-event.ts';

/**
 * Records the state of TCP at every packet that a server receives, by the kernel's trace point `tcp:tcp_probe`
 * (Documentation/trace/ftrace.rst). Each recording has its own tracefs instance, so that it does not disturb other
 * tracing. An instance is a folder that outlives its process, so stale ones are removed.
 */
export interface TcpProbe {
  /** Ends the recording and removes its instance; a second call returns the same result. */
  stop(): Promise<AckEvents>;
}

export interface AckEvents {
  /** The events in order of time. */
  readonly events: readonly AckEvent[];
  /** Packets that were not recorded, because the kernel's buffer was full. */
  readonly lost: number;
  /** Converts ms since the epoch to the events' clock. */
  fromEpoch_ms(epoch_ms: number): number;
}

export const TRACEFS = '/sys/kernel/tracing';
const INSTANCES = join(TRACEFS, 'instances');
const INSTANCE_NAME = /^dashjs-sammy-(\d+)-\d+$/;
/** Enough for one second on the fastest link that mahimahi supports; the buffer is read twenty times per second. */
const BUFFER_KB_PER_CPU = 4096;
/** For many flows: enough for several seconds, in case the reader has to wait for a processor. */
const LARGE_BUFFER_KB_PER_CPU = 16_384;
const READ_EVERY_MS = 50;
const READ_BYTES = 1 << 16;

let instances = 0;

/** Mounts tracefs if necessary. Throws an Error of one line if this process cannot trace. */
export async function ensureTracefs(): Promise<void> {
  if (process.platform !== 'linux') throw new Error(`tcp_probe needs Linux; this is ${process.platform}`);
  if (process.getuid?.() !== 0) throw new Error('tracing TCP needs root: run it with sudo');
  if (!existsSync(INSTANCES)) await runQuietly('mount', ['-t', 'tracefs', 'nodev', TRACEFS]);
  if (!existsSync(join(TRACEFS, 'events/tcp/tcp_probe')))
    throw new Error('this kernel has no trace point tcp:tcp_probe (Linux 4.16 with CONFIG_FTRACE has it)');
}

/**
 * Records the connections of the server that listens on `port`, or of servers on a range of `ports` (first and last).
 */
export async function startTcpProbe(
  of: { readonly port: number } | { readonly ports: readonly [number, number] },
): Promise<TcpProbe> {
  const filter = 'port' in of ? `sport==${of.port}` : `sport>=${of.ports[0]} && sport<=${of.ports[1]}`;
  await ensureTracefs();
  await removeStale();
  instances += 1;
  const instance = new Instance(join(INSTANCES, `dashjs-sammy-${process.pid}-${instances}`));
  await mkdir(instance.folder);
  try {
    await instance.write('trace_clock', 'mono');
    await instance.write(
      'buffer_size_kb',
      String('port' in of ? BUFFER_KB_PER_CPU : LARGE_BUFFER_KB_PER_CPU),
    );
    await instance.write('events/tcp/tcp_probe/filter', filter);
    await instance.write('events/tcp/tcp_probe/enable', '1');
    const pipe = await open(join(instance.folder, 'trace_pipe'), constants.O_RDONLY | constants.O_NONBLOCK);
    const reader = new PipeReader(pipe);
    let stopping: Promise<AckEvents> | undefined;
    return { stop: () => (stopping ??= stop(instance, reader)) };
  } catch (error) {
    await rmdir(instance.folder);
    throw error;
  }
}

async function stop(instance: Instance, reader: PipeReader): Promise<AckEvents> {
  try {
    await instance.write('events/tcp/tcp_probe/enable', '0');
    const events = await reader.finish();
    const lost = await instance.lost();
    const offset_ms = Date.now() - monotonic_ms();
    return { events, lost, fromEpoch_ms: (epoch_ms) => epoch_ms - offset_ms };
  } finally {
    await reader.close();
    await rmdir(instance.folder);
  }
}

/** Removes the instances of processes that were killed. */
async function removeStale(): Promise<void> {
  for (const name of await readdir(INSTANCES)) {
    const pid = INSTANCE_NAME.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rmdir(join(INSTANCES, name)).catch(() => undefined);
  }
}

class Instance {
  constructor(readonly folder: string) {}

  async write(file: string, text: string): Promise<void> {
    try {
      await writeFile(join(this.folder, file), text);
    } catch (error) {
      throw new Error(`tracefs refused '${text}' for ${file}: ${(error as Error).message}`, { cause: error });
    }
  }

  /** The number of events that were overwritten before they were read, or never written. */
  async lost(): Promise<number> {
    const folders = await readdir(join(this.folder, 'per_cpu'));
    const stats = await Promise.all(
      folders.map((cpu) => readFile(join(this.folder, 'per_cpu', cpu, 'stats'), 'utf8')),
    );
    return stats
      .flatMap((text) => [...text.matchAll(/^(?:overrun|dropped events): (\d+)$/gm)])
      .reduce((sum, [, count]) => sum + Number(count), 0);
  }
}

/** Reads a pipe that is usually empty, without a blocking thread. */
class PipeReader {
  readonly #pipe: FileHandle;
  readonly #events: AckEvent[] = [];
  /** One shared string per flow, because a substring of the trace's text would keep the whole text in memory. */
  readonly #flows = new Map<string, string>();
  readonly #buffer = Buffer.alloc(READ_BYTES);
  readonly #ending = new AbortController();
  readonly #reading: Promise<void>;
  #rest = '';

  constructor(pipe: FileHandle) {
    this.#pipe = pipe;
    this.#reading = this.#keepReading();
    // The error is reported by `finish`.
    this.#reading.catch(() => undefined);
  }

  async #keepReading(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await this.#drain();
      await sleep(READ_EVERY_MS, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    }
  }

  /** Reads everything that is in the pipe now. */
  async #drain(): Promise<void> {
    for (;;) {
      const bytes = await this.#read();
      if (bytes === 0) return;
      const lines = (this.#rest + this.#buffer.toString('latin1', 0, bytes)).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#take(parseAckEvent(line));
    }
  }

  async #read(): Promise<number> {
    try {
      const { bytesRead } = await this.#pipe.read(this.#buffer, 0, READ_BYTES);
      return bytesRead;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
      throw error;
    }
  }

  #take(event: AckEvent | undefined): void {
    if (!event) return;
    const flow = this.#flows.get(event.flow);
    if (flow === undefined) this.#flows.set(event.flow, event.flow);
    this.#events.push(flow === undefined ? event : { ...event, flow });
  }

  /** Resolves with all events, once no more arrive. */
  async finish(): Promise<AckEvent[]> {
    this.#ending.abort();
    await this.#reading;
    await this.#drain();
    // Each processor has a ring buffer of its own, so events of different processors are not in order.
    return this.#events.sort((a, b) => a.t_ms - b.t_ms);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#reading.catch(() => undefined);
    await this.#pipe.close();
  }
}
