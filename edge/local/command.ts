import cluster from 'node:cluster';
import { isatty } from 'node:tty';
import { undoAtEndingSignal } from '../../system/ending-signals.ts';
import { check } from '../check/command.ts';
import { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS } from './connections/admission.ts';
import { loadYieldControl } from './kernel/bpf/yield-control.ts';
import { openLog, type Log } from './logging/log.ts';
import { readAsTableFile } from './networks/as-table.ts';
import { keepHeapSmall } from './operating/keep-heap-small.ts';
import { operate } from './operating/operate.ts';
import { serve } from './operating/serve.ts';
import { printSessions } from './sessions/print-sessions.ts';
import type { Service } from './operating/service.ts';
import { DRAIN_S, readSettings, SESSIONS_MB, type Settings } from './operating/settings.ts';
import { serveAsWorker } from './operating/worker.ts';
import { startWorkers } from './operating/workers.ts';
import { VERSION } from './version.ts';

export const help = `
npm run edge -- --origin DIR|URL --port N [options]
npm run edge -- check URL             checks whether any edge paces the URL of a media segment, over which protocol and
                                      how exactly, and whether a cache keeps one copy; exit status 0 if both are so
npm run edge -- sessions DIR          prints the stored sessions, one line of JSON each

npm run edge -- --version

Serves content and paces each response at the rate its CMCD rtp asks for. It logs one line per response.

  --origin DIR|URL           what to serve: a directory, or a web server below http(s)://HOST[:PORT][/PATH]
  --port N                   where to listen; 0 takes a free port
  --host H                   the address to listen on (127.0.0.1)
  --config FILE              more options, as a JSON object such as {"pacing": "off", "floor-kbps": 2000}; options on
                             the command line override it
  --pacing on|off            off serves everything unpaced: the kill switch (on)
  --floor-kbps N             no pace below this; a request for less gets it
  --ceiling-kbps N           no pace above this; a request for more gets it
  --congestion-control NAME  such as cubic, reno, bbr, for all responses (the kernel's default); or
                             paced=NAME,unpaced=NAME for paced and unpaced responses
  --yield                    let paced responses yield to other traffic, down to the floor that the player states. Needs
                             root, clang and bpftool; without them, responses are paced only
  --tls-cert FILE            serve HTTP/2 (and HTTP/1.1) over TLS: the certificate chain, PEM
  --tls-key FILE             its private key, PEM
  --allow-origin URL         also serve http(s)://HOST[:PORT] below /via/SCHEME/HOST[:PORT]/; may be repeated
  --credentials-origin URL   pages at http(s)://HOST[:PORT] may send cookies (withCredentials); may be repeated
  --forward-header NAME      forward this request header to the origin, such as Authorization; may be repeated.
                             Responses to such requests are not for shared caches
  --max-connections N        the most connections at once (${MAX_CONNECTIONS})
  --max-connections-per-address N
                             the most connections of one client address (${MAX_CONNECTIONS_PER_ADDRESS}); behind a proxy
                             or a load balancer, use the number of --max-connections
  --operator-port N          serve /healthz and /metrics (Prometheus) on this port; do not expose it
  --operator-host H          the address for it (127.0.0.1)
  --workers N                the number of processes, for example one per core; they share the port and the limits of
                             connections, and one that crashes is replaced (1)
  --log-format text|json     json: one object per line on stdout, with time, level, client and request id (text)
  --log-level error|warn|info
                             info also logs each response (info)
  --holdout SHARE            serve this share of sessions unpaced, such as 5%, to compare metrics with and without pacing
  --experiments FILE         the experiments, JSON; read again when it changes. With an invalid file no experiment runs
  --cluster NAME             the part of the network that this edge serves, for experiments (default); {asn} in it is the
                             number of the client's autonomous system
  --as-table FILE            maps addresses to autonomous systems: lines of '192.0.2.0/24 64496'; needed for {asn}
  --sessions DIR             accept sessions' beacons at /.sammy/v1/sessions, and store them in DIR
  --sessions-mb N            the most megabytes of stored beacons (${SESSIONS_MB})
  --drain-s N                after SIGTERM, accept no requests and give responses under way N seconds (${DRAIN_S});
                             SIGINT, or a second SIGTERM, ends the edge at once

On SIGHUP the edge reads --config and the certificate again, without cutting a response. These options change: pacing,
floor-kbps, ceiling-kbps, holdout, log-level, allow-origin, credentials-origin, tls-cert and tls-key; others need a
restart. Closing a terminal sends SIGHUP, too: there it ends the edge as SIGTERM does.

Options of check:
  --rtp-kbps N               the pace to ask for (5000, or half of the unpaced rate if that is less)
  --cmcd query|header        how to send CMCD (query)
  --insecure                 accept any certificate
`;

const ignore = (): void => undefined;

const SHARES_OFF =
  '--max-connections-per-address lets one address have all connections: it is taken for a proxy, and may fill the stored sessions';

export async function main(args: string[]): Promise<void> {
  keepHeapSmall();
  // Whoever reads what is printed besides the log may be gone: that must not end the edge.
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  // A worker is started with the same arguments as its primary process.
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
  // Without it, a signal ends a starting process at once.
  const started = loading ? undoAtEndingSignal(unload) : ignore;
  const yieldControl = await loading;
  if (yieldControl && 'lack' in yieldControl) log.warn(`--yield: only paces, ${yieldControl.lack}`);
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

/** Apart from `main`, which waits for as long as the edge serves, and would keep the text of the table for as long. */
function start(settings: Settings, log: Log): Promise<Service> {
  const asTable = settings.asTable === undefined ? null : readAsTableFile(settings.asTable);
  return (settings.workers > 1 ? startWorkers : serve)(settings, asTable, log);
}
