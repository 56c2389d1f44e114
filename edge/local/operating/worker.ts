import { once } from 'node:events';
import { milliseconds } from '../../../src/units.ts';
import { onEndingSignal } from '../../../system/ending-signals.ts';
import { lineOf } from '../../../system/line-of.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { serve } from './serve.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';

/** The interval at which a worker sends its counters, and so the greatest age of the metrics. */
const TELL_EVERY_MS = 500;

/** Serves as one of several processes, until the primary process says to end, or is gone itself. */
export async function serveAsWorker(readSettings: () => Promise<Settings>): Promise<void> {
  // Ignored here: a terminal and systemd signal all processes, and the primary process then tells the workers to end.
  onEndingSignal(() => undefined);
  try {
    const service = await serveWhenTold(await readSettings());
    const { url, port } = service;
    await tell({ kind: 'serving', url, port });
    const told = () => tell({ kind: 'done-so-far', snapshot: service.snapshot() });
    const telling = setInterval(() => void told(), TELL_EVERY_MS);
    const end = await nextMessage();
    const patience = end.kind === 'end' ? end.patience : milliseconds(0);
    // A second message ends the wait early.
    if (patience > 0) await Promise.race([service.drain(patience), nextMessage()]);
    await service.close();
    clearInterval(telling);
    await told();
  } catch (error) {
    await tell({ kind: 'failed', line: lineOf(error) });
  }
  process.exit();
}

/**
 * Serves with what the primary process sends. Apart from what waits for the end, which would keep the text of the table for
 * as long.
 */
async function serveWhenTold(settings: Settings): Promise<Service> {
  const begun = nextMessage();
  await tell({ kind: 'starting' });
  const begin = await begun;
  // Told to end before it has begun.
  if (begin.kind === 'end') process.exit();
  return serve(settings, begin.asTable);
}

async function nextMessage(): Promise<ToWorker> {
  const [message] = (await once(process, 'message')) as [ToWorker];
  return message;
}

/** Sends a message; resolves when it has been sent, or cannot be sent any more. */
const tell = (message: FromWorker): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send?.(message, undefined, undefined, () => resolve())) resolve();
  });
