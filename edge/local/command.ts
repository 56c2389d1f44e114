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
npm run edge -- check URL             whether a URL is paced (any edge's), over which protocol, how exactly, and whether a
                                      cache keeps one copy of it; status 0 if so. Give a media segment's URL
npm run edge -- sessions DIR          the stored sessions, one line of JSON each

npm run edge -- --version

Serves content and paces each response at the rate its CMCD rtp asks for. It logs one line per response.

  --origin DIR|URL           what to serve: a directory, or a web server below http(s)://HOST[:PORT][/PATH]
  --port N                   where to listen; 0 takes a free port
  --host H                   the address to listen on (127.0.0.1)
  --config FILE              further options, as a JSON object such as {"pacing": "off", "floor-kbps": 2000}; those of
                             the command line win
  --pacing on|off            off serves everything unpaced: the kill switch (on)
  --floor-kbps N             no pace below this; a request for less gets it
  --ceiling-kbps N           no pace above this; a request for more gets it
  --congestion-control NAME  cubic, reno, bbr: for all responses (the kernel's default); or paced=NAME,unpaced=NAME for
                             those that are paced and those that are not
  --yield                    let paced responses yield to other traffic, down to the floor that their player says it needs: by a
                             congestion control in BPF, as root, with clang and bpftool. Without these: plain pacing
  --tls-cert FILE            serve HTTP/2 (and HTTP/1.1) over TLS: the certificate chain, PEM
  --tls-key FILE             its private key, PEM
  --allow-origin URL         also serve http(s)://HOST[:PORT] below /via/SCHEME/HOST[:PORT]/; may be repeated
  --credentials-origin URL   pages at http(s)://HOST[:PORT] may send cookies (withCredentials); may be repeated
  --forward-header NAME      also hand this header of requests to the origin, such as Authorization; may be repeated.
                             Responses to it are kept out of shared caches
  --max-connections N        refuse more than so many connections at once (${MAX_CONNECTIONS})
  --max-connections-per-address N
                             and more than so many of one client address (${MAX_CONNECTIONS_PER_ADDRESS}); behind a proxy
                             or a load balancer give the number of --max-connections
  --operator-port N          /healthz and /metrics (Prometheus) on a port of their own, for you alone
  --operator-host H          the address for it (127.0.0.1)
  --workers N                so many processes, one for each core; they share the port, each takes its part of the
                             connections and their limits, and one that dies is replaced (1)
  --log-format text|json     json: one object per line on stdout, with time, level, client and request id (text)
  --log-level error|warn|info
                             info also logs each response (info)
  --holdout SHARE            serve this share of sessions unpaced, such as 5%, so that the metrics show what pacing does
  --experiments FILE         who is tried what on, JSON; read again when it changes. A broken file means no experiment
  --cluster NAME             the part of the network that this edge serves, for experiments (default); {asn} in it is the
                             number of the client's autonomous system
  --as-table FILE            tells that of an address: lines of '192.0.2.0/24 64496', read once; needed for {asn}
  --sessions DIR             take beacons of sessions at /.sammy/v1/sessions, and store them here
  --sessions-mb N            so many megabytes of them at most (${SESSIONS_MB})
  --drain-s N                at SIGTERM take no further requests, and give those under way so many seconds (${DRAIN_S});
                             SIGINT, or a second SIGTERM, ends at once

SIGHUP reads --config and the certificate again, and cuts no response: pacing, floor-kbps, ceiling-kbps, holdout,
log-level, allow-origin, credentials-origin, tls-cert and tls-key change; other options need a restart. In a terminal
SIGHUP is what closing it sends, and ends the edge as SIGTERM does.

Of check:
  --rtp-kbps N               the pace to ask for (5000, or half of what comes unpaced if that is less)
  --cmcd query|header        where to ask for it (query)
  --insecure                 take any certificate
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
