import type { Milliseconds } from '../../../src/units.ts';
import { onEndingSignal } from '../../../system/ending-signals.ts';
import { lineOf } from '../../../system/line-of.ts';
import { openLog } from '../logging/log.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { serve } from './serve.ts';
import type { Service } from './service.ts';

/** The interval at which a worker sends its counters, and so the greatest age of the metrics. */
const TELL_EVERY_MS = 500;

/** Serves as one of several processes, until the primary process says to end, or is gone itself. */
export async function serveAsWorker(): Promise<void> {
  // Ignored here: a terminal and systemd signal all processes, and the primary process then tells the workers what to do.
  onEndingSignal(() => undefined);
  try {
    const service = await serveWhenTold();
    const patience = serveUntilTold(service);
    const { url, port } = service;
    await tell({ kind: 'serving', url, port });
    const told = async () => tell({ kind: 'done-so-far', snapshot: await service.snapshot() });
    const telling = setInterval(() => void told(), TELL_EVERY_MS);
    // A second one ends the wait early.
    const drain = await patience;
    if (drain > 0) await Promise.race([service.drain(drain), nextMessage(['end'])]);
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
async function serveWhenTold(): Promise<Service> {
  const begun = nextMessage(['begin', 'end']);
  await tell({ kind: 'starting' });
  const begin = await begun;
  // Told to end before it has begun.
  if (begin.kind !== 'begin') process.exit();
  const { settings, asTable } = begin;
  const { logFormat: format, workers, live } = settings;
  const log = openLog({ format, level: live.logLevel, writers: workers });
  return serve(settings, asTable, log, (change) => void tell({ kind: 'change', change }));
}

/** Reloads the settings as often as it is told to; resolves with the patience of the end. */
const serveUntilTold = (service: Service): Promise<Milliseconds> =>
  new Promise((resolve) => {
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'reload') service.reload(message.live);
      else if (message.kind === 'change') service.changePace(message.change);
      else if (message.kind === 'end') resolve(message.patience);
    });
  });

/** The next message of these kinds. Others, as a change of a pace at a client's request, may come at any time. */
const nextMessage = <Kind extends ToWorker['kind']>(
  kinds: readonly Kind[],
): Promise<Extract<ToWorker, { kind: Kind }>> =>
  new Promise((resolve) => {
    const take = (message: ToWorker) => {
      if (!kinds.some((kind) => kind === message.kind)) return;
      process.off('message', take);
      resolve(message as Extract<ToWorker, { kind: Kind }>);
    };
    process.on('message', take);
  });

/** Sends a message; resolves when it has been sent, or cannot be sent any more. */
const tell = (message: FromWorker): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send?.(message, undefined, undefined, () => resolve())) resolve();
  });
