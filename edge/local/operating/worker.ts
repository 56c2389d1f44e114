import type { Milliseconds } from '../../../src/units.ts';
import { onEndingSignal } from '../../../system/ending-signals.ts';
import { errorLine } from '../../../system/error-line.ts';
import { openLog } from '../logging/log.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { serve } from './serve.ts';
import type { Service } from './service.ts';

/** The interval at which a worker sends its counters: the maximum age of the metrics. */
const TELL_EVERY_MS = 500;

/** Serves as one of several processes, until the primary process requests the end, or has ended itself. */
export async function serveAsWorker(): Promise<void> {
  // Ignored: a terminal and systemd signal all processes, and the primary process then notifies the workers.
  onEndingSignal(() => undefined);
  try {
    const service = await serveWhenTold();
    const patience = serveUntilTold(service);
    const { url, port } = service;
    await tell({ kind: 'serving', url, port });
    const told = async () => tell({ kind: 'done-so-far', snapshot: await service.snapshot() });
    const telling = setInterval(() => void told(), TELL_EVERY_MS);
    // A second message ends the wait early.
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
 * Starts to serve with the primary process's data. A separate function, because a function that awaits the end would retain
 * the text of the table.
 */
async function serveWhenTold(): Promise<Service> {
  const begun = nextMessage(['begin', 'end']);
  await tell({ kind: 'starting' });
  const begin = await begun;
  // The end was requested before serving began.
  if (begin.kind !== 'begin') process.exit();
  const { settings, asTable } = begin;
  const { logFormat: format, workers, live } = settings;
  const log = openLog({ format, level: live.logLevel, writers: workers });
  return serve(settings, asTable, log, (change) => void tell({ kind: 'change', change }));
}

/** Applies each reload message; resolves with the patience of the end message. */
const serveUntilTold = (service: Service): Promise<Milliseconds> =>
  new Promise((resolve) => {
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'reload') service.reload(message.live);
      else if (message.kind === 'change') service.changePace(message.change);
      else if (message.kind === 'end') resolve(message.patience);
    });
  });

/** The next message of these kinds. Others, such as a change of a pace, may arrive at any time. */
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

/** Sends a message; resolves when it has been sent, or can no longer be sent. */
const tell = (message: FromWorker): Promise<void> =>
  new Promise((resolve) => {
    if (!process.send?.(message, undefined, undefined, () => resolve())) resolve();
  });
