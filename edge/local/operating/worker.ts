import { once } from 'node:events';
import { lineOf } from '../../../system/line-of.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { serve } from './serve.ts';
import type { Settings } from './settings.ts';

/** How often a worker tells what it has done: how old the metrics may be. */
const TELL_EVERY_MS = 500;

/** Serves as one of several processes, until the one that started it says to end, or is gone itself. */
export async function serveAsWorker(readSettings: () => Promise<Settings>): Promise<void> {
  // A terminal and systemd send signals to all processes: the first one passes on what is meant.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  try {
    const service = await serve(await readSettings());
    const { url, port } = service;
    await tell({ kind: 'serving', url, port });
    const told = () => tell({ kind: 'done-so-far', snapshot: service.snapshot() });
    const telling = setInterval(() => void told(), TELL_EVERY_MS);
    const [{ patience }] = (await once(process, 'message')) as [ToWorker];
    // The next message says to wait no longer.
    if (patience > 0) await Promise.race([service.drain(patience), once(process, 'message')]);
    await service.close();
    clearInterval(telling);
    await told();
  } catch (error) {
    await tell({ kind: 'failed', line: lineOf(error) });
  }
  process.exit();
}

/** Resolves when it is on its way, or cannot be sent any more. */
const tell = (message: FromWorker): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send?.(message, undefined, undefined, () => resolve())) resolve();
  });
