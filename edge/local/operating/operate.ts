import { onEndingSignal } from '../../../system/ending-signals.ts';
import { errorLine } from '../../../system/error-line.ts';
import { onNpmGone } from '../../../system/npm-gone.mjs';
import type { Log } from '../logging/log.ts';
import { printFamilies } from '../metrics/families.ts';
import { startOperatorServer, type OperatorServer } from './operator-server.ts';
import type { Service } from './service.ts';
import { fixedDifferences, liveDifferences, type Settings } from './settings.ts';
import { formatSummary } from './snapshot.ts';

export interface OperateOptions {
  readonly settings: Settings;
  readonly log: Log;
  /** Reads the settings again. Throws a one-line Error for invalid settings. */
  readonly reread: () => Promise<Settings>;
  /**
   * Whether SIGHUP means that the terminal was closed and ends this process. Otherwise, SIGHUP reloads the settings.
   */
  readonly isInTerminal: boolean;
}

/** Serves health and metrics, if configured, until the process gets a signal to end and the service has ended. */
export async function operate(service: Service, options: OperateOptions): Promise<void> {
  const { settings, log, isInTerminal } = options;
  let isDraining = false;
  let server: OperatorServer | undefined;
  const { host, port } = settings.operator;
  let terms = 0;
  let current = Promise.resolve(settings);
  const ended = new Promise<void>((resolve, reject) => {
    const end = () => {
      // Ignore further signals while draining: a closing terminal may send several SIGHUP signals, followed by SIGTERM
      // from npm.
      if (isDraining) return;
      isDraining = true;
      service.drain(settings.drain).then(resolve, reject);
    };
    onNpmGone(end);
    // Keep the listeners, because a further signal must not kill the process before it has logged its summary.
    onEndingSignal((signal) => {
      if (signal === 'SIGHUP' && !isInTerminal) {
        if (!isDraining) current = current.then((before) => reload(service, before, options));
        return;
      }
      if (signal === 'SIGTERM') terms += 1;
      if (signal === 'SIGINT' || terms > 1) resolve();
      else end();
    });
  });
  const missing = () => (isDraining ? 'draining' : service.isServing() ? null : 'no worker serves');
  try {
    if (port !== undefined) {
      const metrics = async () => printFamilies((await service.snapshot()).processes);
      server = await startOperatorServer({ host, port, getDownReason: missing, metrics });
      log.info(`/healthz and /metrics at ${server.url}`);
    }
    await ended;
  } finally {
    await service.close();
    server?.close();
  }
  log.info(formatSummary(await service.snapshot()));
}

/**
 * Rereads the settings, and applies those that can change. Returns the settings in force, which are the old ones if the
 * new ones are invalid.
 */
async function reload(
  service: Service,
  before: Settings,
  { settings, log, reread }: OperateOptions,
): Promise<Settings> {
  try {
    const next = await reread();
    const fixed = fixedDifferences(settings, next);
    if (fixed.length > 0) log.error(`changes of these options need a restart: ${fixed.join(', ')}`);
    service.reload(next.live);
    const changes = liveDifferences(before, next);
    log.info(
      changes.length > 0
        ? `the settings were reloaded: ${changes.join(', ')}`
        : 'the settings were reloaded; no option changed',
    );
    return next;
  } catch (error) {
    log.error(`the settings were not reloaded: ${errorLine(error)}`);
    return before;
  }
}
