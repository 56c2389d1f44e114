import { parseArgs, type ParseArgsConfig } from 'node:util';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { seconds, secondsToMilliseconds, type Milliseconds } from '../../src/units.ts';
import { parseCongestionControl } from '../congestion-control.ts';
import { pageOrigin } from '../cors.ts';
import { createHandler } from '../handler.ts';
import { paceLimits } from '../policy.ts';
import { checkReachable, urlOrigin } from '../url-origin.ts';
import { mountOrigins } from '../via.ts';
import { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS } from './connections/admission.ts';
import { directoryOrigin } from './directory-origin.ts';
import type { Certificate } from './http-server.ts';
import { Metrics } from './operating/metrics.ts';
import { startOperatorServer, type OperatorServer } from './operating/operator-server.ts';
import { startEdge, type Edge, type ResponseEvent } from './server.ts';
import { lineOf } from '../../system/line-of.ts';

/** A segment of 10 s at a pace just above its bitrate takes nearly as long. */
const DRAIN_S = 15;

export const help = `
npm run edge -- --origin DIR|URL --port N [options]

Serves content and paces each response at the rate its CMCD rtp asks for. One line per response on stdout.

  --origin DIR|URL           what to serve: a directory, or a web server below http(s)://HOST[:PORT][/PATH]
  --port N                   where to listen; 0 takes a free port
  --host H                   the address to listen on (127.0.0.1)
  --floor-kbps N             no pace below this; a request for less gets it
  --ceiling-kbps N           no pace above this; a request for more gets it
  --congestion-control NAME  cubic, reno, bbr: for all responses (the kernel's default); or paced=NAME,unpaced=NAME for
                             those that are paced and those that are not
  --tls-cert FILE            serve HTTP/2 (and HTTP/1.1) over TLS: the certificate chain, PEM
  --tls-key FILE             its private key, PEM
  --allow-origin URL         also serve http(s)://HOST[:PORT] below /via/SCHEME/HOST[:PORT]/; may be repeated
  --credentials-origin URL   pages at http(s)://HOST[:PORT] may send cookies (withCredentials); may be repeated
  --max-connections N        refuse more than so many connections at once (${MAX_CONNECTIONS})
  --max-connections-per-address N
                             and more than so many of one client address (${MAX_CONNECTIONS_PER_ADDRESS}); behind a proxy
                             or a load balancer give the number of --max-connections
  --operator-port N          /healthz and /metrics (Prometheus) on a port of their own, for you alone
  --operator-host H          the address for it (127.0.0.1)
  --drain-s N                at SIGTERM take no further requests, and give those under way so many seconds (${DRAIN_S});
                             SIGINT, or a second SIGTERM, ends at once
`;

const OPTIONS = {
  origin: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  'floor-kbps': { type: 'string' },
  'ceiling-kbps': { type: 'string' },
  'congestion-control': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'allow-origin': { type: 'string', multiple: true, default: [] },
  'credentials-origin': { type: 'string', multiple: true, default: [] },
  'max-connections': { type: 'string' },
  'max-connections-per-address': { type: 'string' },
  'operator-port': { type: 'string' },
  'operator-host': { type: 'string', default: '127.0.0.1' },
  'drain-s': { type: 'string', default: String(DRAIN_S) },
} as const satisfies ParseArgsConfig['options'];

export async function main(args: string[]): Promise<void> {
  const options = parseArgs({ args, options: OPTIONS }).values;
  if (options.origin === undefined)
    throw new Error('--origin is missing; give a directory or an http(s) URL');
  if (options.port === undefined) throw new Error('--port is missing; give a number from 0 to 65535');
  const port = readPort('--port', options.port);
  const operatorText = options['operator-port'];
  const operatorPort = operatorText === undefined ? undefined : readPort('--operator-port', operatorText);
  const drain = readDrain(options['drain-s']);
  const maxConnections = readCount('--max-connections', options['max-connections']);
  const perAddress = readCount('--max-connections-per-address', options['max-connections-per-address']);
  const floor = readNumber('--floor-kbps', options['floor-kbps']);
  const ceiling = readNumber('--ceiling-kbps', options['ceiling-kbps']);
  const credentialsOrigins = options['credentials-origin'].map((text) =>
    pageOrigin('--credentials-origin', text),
  );
  const tls = await readCertificate(options['tls-cert'], options['tls-key']);
  const congestionText = options['congestion-control'];
  const congestionControl =
    congestionText === undefined ? undefined : parseCongestionControl('--congestion-control', congestionText);

  const limits = paceLimits({
    ...(floor !== undefined && { floor_kbps: floor }),
    ...(ceiling !== undefined && { ceiling_kbps: ceiling }),
  });
  const isUrl = /^https?:\/\//i.test(options.origin);
  const onProblem = (line: string) => console.error(line);
  const open = (url: string) => urlOrigin(url, { onProblem });
  const origin = mountOrigins({
    main: isUrl ? open(options.origin) : await directoryOrigin(options.origin),
    allowed: options['allow-origin'],
    open,
  });
  if (isUrl) await checkReachable(options.origin);
  const metrics = new Metrics();
  const edge = await startEdge({
    handler: createHandler({
      origin,
      limits,
      ...(congestionControl && { congestionControl }),
      credentialsOrigins,
      onProblem,
    }),
    port,
    host: options.host,
    ...(tls && { tls }),
    // A connection begins with what unpaced responses have, so that only a paced one changes it.
    ...(congestionControl && {
      congestionControl: congestionControl.unpaced,
      furtherCongestionControls: [congestionControl.paced],
    }),
    ...(maxConnections !== undefined && { maxConnections }),
    ...(perAddress !== undefined && { maxConnectionsPerAddress: perAddress }),
    onResponse: (event) => {
      metrics.note(event);
      console.log(logLine(event));
    },
  });
  console.log(`serving ${options.origin} at ${edge.url}`);
  await operate(edge, metrics, { host: options['operator-host'], port: operatorPort, drain });
  console.log(summary(edge));
}

/** Tells its health and its metrics where that is wanted, until it is asked to end and has ended. */
async function operate(
  edge: Edge,
  metrics: Metrics,
  operator: { readonly host: string; readonly port: number | undefined; readonly drain: Milliseconds },
): Promise<void> {
  const draining = new AbortController();
  let server: OperatorServer | undefined;
  try {
    const { host, port } = operator;
    if (port !== undefined) {
      server = await startOperatorServer({
        host,
        port,
        isDraining: () => draining.signal.aborted,
        metrics: () => metrics.print(edge.stats),
      });
      console.log(`/healthz and /metrics at ${server.url}`);
    }
    const drained = once(process, 'SIGTERM').then(() => {
      draining.abort();
      return Promise.race([edge.drain(operator.drain), once(process, 'SIGTERM')]);
    });
    await Promise.race([once(process, 'SIGINT'), drained]);
  } finally {
    await edge.close();
    server?.close();
  }
}

function readDrain(text: string): Milliseconds {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > 3600) {
    throw new Error(`--drain-s is '${text}'; expected seconds from 0 to 3600`);
  }
  return secondsToMilliseconds(seconds(value));
}

function readNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value < Infinity)) {
    throw new Error(`${option} is '${text}'; expected a number of kbit/s above 0`);
  }
  return value;
}

function readCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new Error(`${option} is '${text}'; expected a whole number of connections from 1`);
  }
  return Number(text);
}

async function readCertificate(
  cert: string | undefined,
  key: string | undefined,
): Promise<Certificate | undefined> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const [given, missing] = cert === undefined ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
    throw new Error(`${given} is given without ${missing}; TLS needs both`);
  }
  const read = (option: string, file: string) =>
    readFile(file, 'utf8').catch((error: unknown) => {
      throw new Error(`${option} '${file}' cannot be read: ${lineOf(error)}`, { cause: error });
    });
  return { cert: await read('--tls-cert', cert), key: await read('--tls-key', key) };
}

function readPort(option: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new Error(`${option} is '${text}'; expected a number from 0 to 65535`);
  return port;
}

function logLine(event: ResponseEvent): string {
  const rate = (value: number | null) => (value === null ? '-' : String(value));
  return [
    event.url.split('?', 1)[0],
    event.status,
    `rtp=${rate(event.asked_kbps)}`,
    `pace=${rate(event.pace_kbps)}`,
    event.reason,
    `${(event.bytes / 1000).toFixed(1)} kB`,
    `${event.duration_ms.toFixed(0)} ms`,
    ...(event.complete ? [] : ['incomplete']),
  ].join(' ');
}

function summary({ stats }: Edge): string {
  const reasons = Object.entries(stats.reasons).map(([reason, count]) => `${reason} ${count}`);
  const megabytes = (stats.bytes / 1e6).toFixed(1);
  return `${stats.responses} responses, ${megabytes} MB, ${stats.incomplete} incomplete; ${reasons.join(', ') || 'none'}`;
}
