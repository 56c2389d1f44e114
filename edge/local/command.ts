import cluster from 'node:cluster';
import { isatty } from 'node:tty';
import { optionsHelp } from '../../system/command-line/parse-options.ts';
import { undoAtEndingSignal } from '../../system/ending-signals.ts';
import { check, CHECK_OPTIONS } from '../check/command.ts';
import { loadYieldControl } from './kernel/bpf/yield-control.ts';
import { openLog, type Log } from './logging/log.ts';
import { readAsTableFile } from './networks/as-table.ts';
import { keepHeapSmall } from './operating/keep-heap-small.ts';
import { operate } from './operating/operate.ts';
import { serve } from './operating/serve.ts';
import { printSessions } from './sessions/print-sessions.ts';
import type { Service } from './operating/service.ts';
import { OPTIONS } from './operating/options.ts';
import { readSettings, type Settings } from './operating/settings.ts';
import { serveAsWorker } from './operating/worker.ts';
import { startWorkers } from './operating/workers.ts';
import { VERSION } from './version.ts';

export const help = `
npm run edge -- --origin DIR|URL --port N [options]
npm run edge -- check URL             checks whether any edge paces the URL of a media segment or of a manifest, over which
                                      protocol and how exactly, whether a page can read it, and whether a cache keeps one
                                      copy; exit status 0 if all are so
npm run edge -- sessions DIR          prints the stored sessions, one line of JSON each

npm run edge -- --version

Serves content and paces each response at the rate its CMCD rtp asks for. It logs one line per response.

${optionsHelp(OPTIONS)}

On SIGHUP the edge reads --config and the certificate again, without cutting a response. These options change: pacing,
floor-kbps, ceiling-kbps, foreign-players, foreign-floor-kbps, holdout, log-level, allow-origin, credentials-origin, tls-cert and tls-key; others need a
restart. Closing a terminal sends SIGHUP, too: there it ends the edge as SIGTERM does.

Options of check:
${optionsHelp(CHECK_OPTIONS)}
`;

const ignore = (): void => undefined;

const SHARES_OFF =
  '--max-connections-per-address lets one address have all connections: it is taken for a proxy, and may fill the stored sessions';

export async function main(args: string[]): Promise<void> {
  keepHeapSmall();
  // Ignore errors of stdout and stderr: a closed pipe must not end the edge.
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  // A worker process has the same arguments as its primary process.
  if (cluster.isWorker) return serveAsWorker();
  if (args.includes('--version')) {
    console.log(VERSION);
    return;
  }
  if (args[0] === 'check') return check(args.slice(1));
  if (args[0] === 'sessions') return printSessions(args.slice(1), (line) => console.log(line));
  const settings = await readSettings(args);
  const log = openLog({ format: settings.logFormat, level: settings.live.logLevel });
  const loading = settings.yields ? loadYieldControl() : null;
  const unload = async (): Promise<void> => {
    const yieldControl = await loading;
    if (yieldControl && 'unload' in yieldControl) await yieldControl.unload();
  };
  // Unload the BPF programs if a signal ends the process during startup.
  const started = loading ? undoAtEndingSignal(unload) : ignore;
  const yieldControl = await loading;
  if (yieldControl && 'missing' in yieldControl) log.warn(`--yield: only paces, ${yieldControl.missing}`);
  try {
    const service = await start(settings, log);
    started();
    log.info(`serving ${settings.origin} at ${service.url}`);
    if (settings.sessions && settings.isProxied) log.info(SHARES_OFF);
    const isInTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
    await operate(service, { settings, log, reread: () => readSettings(args), isInTerminal });
  } finally {
    await unload();
  }
}

/** A separate function, because `main` runs as long as the edge, and would keep the table's text in memory. */
function start(settings: Settings, log: Log): Promise<Service> {
  const asTable = settings.asTable === undefined ? null : readAsTableFile(settings.asTable);
  return (settings.workers > 1 ? startWorkers : serve)(settings, asTable, log);
}
