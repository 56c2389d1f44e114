import type { Milliseconds } from '../../../src/units.ts';
import { onEndingSignal } from '../../../system/ending-signals.ts';
import { errorLine } from '../../../system/error-line.ts';
import { openLog } from '../logging/log.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { serve } from './serve.ts';
import type { Service } from './service.ts';

/** The interval at which a worker sends its counters. Metrics are at most this old. */
const TELL_EVERY_MS = 500;

/** Serves as one of several processes, until the primary process sends `end` or has ended itself. */
export async function serveAsWorker(): Promise<void> {
  // Ignore signals, because a terminal or systemd signals all processes, and the primary process notifies its workers.
  onEndingSignal(() => undefined);
  try {
    const service = await serveWhenTold();
    const patience = serveUntilTold(service);
    const { url, port } = service;
    await tell({ kind: 'serving', url, port });
    const told = async () => tell({ kind: 'done-so-far', snapshot: await service.snapshot() });
    const telling = setInterval(() => void told(), TELL_EVERY_MS);
    // A second `end` message ends the wait early.
    const drain = await patience;
    if (drain > 0) await Promise.race([service.drain(drain), nextMessage(['end'])]);
    await service.close();
    clearInterval(telling);
    await told();
  } catch (error) {
    await tell({ kind: 'failed', line: errorLine(error) });
  }
  process.exit();
}

/**
 * Starts to serve when the primary process sends `begin`. A separate function, because a function that runs until the
 * end would keep the table's text in memory.
 */
async function serveWhenTold(): Promise<Service> {
  const begun = nextMessage(['begin', 'end']);
  await tell({ kind: 'starting' });
  const begin = await begun;
  // The message was `end`, before serving has begun.
  if (begin.kind !== 'begin') process.exit();
  const { settings, asTable } = begin;
  const { logFormat: format, workers, live } = settings;
  const log = openLog({ format, level: live.logLevel, writers: workers });
  return serve(settings, asTable, log, (change) => void tell({ kind: 'change', change }));
}

/** Applies reload messages until an `end` message. Resolves to the patience of that message. */
const serveUntilTold = (service: Service): Promise<Milliseconds> =>
  new Promise((resolve) => {
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'reload') service.reload(message.live);
      else if (message.kind === 'change') service.changePace(message.change);
      else if (message.kind === 'end') resolve(message.patience);
    });
  });

/**
 * Resolves to the next message of the given kinds. Other messages, such as a change of pace, may arrive at any time.
 */
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

/** Sends a message. Resolves when it has been sent, or when it cannot be sent any more. */
const tell = (message: FromWorker): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send?.(message, undefined, undefined, () => resolve())) resolve();
  });
