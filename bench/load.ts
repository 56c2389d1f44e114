import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bytes,
  transferSize,
  kbps,
  kbpsToBytesPerSecond,
  milliseconds,
  millisecondsToSeconds,
  averageRate,
  seconds,
  type Kbps,
  type Seconds,
} from '../src/units.ts';
import { withoutUndefined } from '../src/records.ts';
import { defineCommandLine } from '../system/command-line/command-line.ts';
import { wholeNumber } from '../system/command-line/parsers.ts';
import { root } from '../tools/steps.ts';
import { freePort } from '../system/free-port.ts';
import { ensureModule, missingNginxReason } from '../edge/nginx/module.ts';
import { findNginx } from '../edge/nginx/program.ts';
import { CaughtUpRate } from './caught-up-rate.ts';
import { cpuSeconds, endProcess, residentMegabytes, type MeasuredServer } from './measured-server.ts';
import { LOOPBACK, startBareServer, startEdgeProcess, type Place } from './start-node-server.ts';
import { inNamespace, VETH, withVethLink } from './veth-link.ts';

/**
 * Seconds that are not measured. The kernel sends a connection's first ten packets unpaced: on loopback 640 kB, which
 * is 2.6 s of content at 2 Mbit/s.
 */
const SETTLING_S = seconds(4);
const FILE = '1.m4s';

/**
 * nginx's sndbuf. By default, the kernel gives a slow connection about 87 kB, of which nginx fills a third at a time.
 */
const NGINX_SEND_BUFFER = '256k';

const USUAL = { connections: 200, seconds: 60, rtp: 2000 };

const commandLine = defineCommandLine({
  command: 'npm run bench -- load',
  about: `Measures pacing for many viewers at once, each with one long response: accuracy, and the server's CPU time and memory. The edge runs as its package does (npx dashjs-sammy-edge), at the same time as a bare loop of Node, as nginx with limit_rate, and as nginx with the module of edge/nginx if that can be built, with the kernel's send buffer and with one of ${NGINX_SEND_BUFFER}, all serving the same file.`,
  options: {
    connections: {
      valueName: 'N',
      about: `viewers of each server (${USUAL.connections})`,
      parse: wholeNumber(1),
    },
    seconds: {
      valueName: 'S',
      about: `how long to measure, after ${SETTLING_S} s for settling (${USUAL.seconds})`,
      parse: wholeNumber(1),
    },
    rtp: { valueName: 'KBPS', about: `the pace of each viewer (${USUAL.rtp})`, parse: wholeNumber(1) },
    alone: { about: 'the edge only' },
    veth: {
      about:
        'over a veth with an MTU of 1500 between two network namespaces, instead of loopback; needs root',
    },
    'congestion-control': { valueName: 'NAME', about: 'with --veth, that of all servers (reno)' },
    // `rerun` passes this option.
    'servers-in': { valueName: 'NAMESPACE', about: '', isInternal: true },
  },
});
export const { help } = commandLine;

export interface LoadReport {
  readonly server: string;
  readonly connections: number;
  /** Number of connections that were refused, broken off or answered with an error. */
  readonly errors: number;
  /** The lowest goodput of a connection after the settling time, as a multiple of the requested rate. */
  readonly lowest_ratio: number;
  /** The highest goodput of a connection, measured the same way. */
  readonly highest_ratio: number;
  /** Number of connections whose goodput differs by more than 10% from the requested rate. */
  readonly beyond_10_pct: number;
  readonly total_gbps: number;
  /** CPU time of the server process (user and system) over elapsed time, per Gbit/s. */
  readonly cpu_cores_per_gbps: number;
  /**
   * Resident memory: before the first viewer, and the median and maximum of ten measurements per run after the settling
   * time.
   */
  readonly rss_mb: { readonly idle: number; readonly median: number; readonly most: number };
}

export interface LoadOptions {
  readonly connections?: number;
  readonly duration?: Seconds;
  readonly rtp?: Kbps;
  /** Whether to run the other servers too, for comparison. */
  readonly besideOthers?: boolean;
  readonly place?: Place;
}

export async function benchLoad({
  connections = 200,
  duration = seconds(60),
  rtp = kbps(2000),
  besideOthers = true,
  place = LOOPBACK,
}: LoadOptions = {}): Promise<LoadReport[]> {
  const directory = await mkdtemp(join(tmpdir(), 'edge-load-'));
  const servers: MeasuredServer[] = [];
  try {
    const content = join(directory, 'www');
    await mkdir(content);
    const file = join(content, FILE);
    await writeFile(file, '');
    // A sparse file, larger than the data to send.
    await truncate(file, Math.round(transferSize(rtp, seconds(SETTLING_S + duration)) * 1.5) + 2_000_000);
    const limits = ['--max-connections-per-address', String(connections)];
    const path = `/${FILE}?CMCD=rtp%3D${rtp}`;
    servers.push(await startEdgeProcess(content, limits, { path, place }));
    if (besideOthers) {
      servers.push(await startBareServer(file, rtp, { path, place }));
      const limit = `limit_rate ${kbpsToBytesPerSecond(rtp)};`;
      servers.push(await startNginx(directory, 'nginx limit_rate', { server: limit, path, place }));
      if ((await missingNginxReason()) === null) {
        const main = `load_module ${await ensureModule(() => undefined)};`;
        const paced = { main, server: 'cmcd_pace on;', path, place };
        servers.push(await startNginx(directory, 'nginx cmcd_pace', paced));
        const listen = `sndbuf=${NGINX_SEND_BUFFER}`;
        servers.push(await startNginx(directory, `nginx cmcd_pace ${listen}`, { ...paced, listen }));
      }
    }
    return await Promise.all(servers.map((server) => load(server, { connections, duration, rtp })));
  } finally {
    await Promise.all(servers.map(({ process }) => endProcess(process)));
    await rm(directory, { recursive: true, force: true });
  }
}

async function startNginx(
  directory: string,
  name: string,
  {
    main = '',
    listen = '',
    server,
    path,
    place,
  }: { main?: string; listen?: string; server: string; path: string; place: Place },
): Promise<MeasuredServer> {
  const nginx = findNginx();
  if (nginx === undefined) {
    throw new Error(
      'nginx is needed to compare with; install it (apt-get install nginx-light) or give --alone',
    );
  }
  const { namespace, host } = place;
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const configuration = join(directory, `${name.replaceAll(' ', '-')}.conf`);
  await writeFile(
    configuration,
    `${main} daemon off; master_process off; pid ${configuration}.pid; error_log stderr error;
     events { worker_connections 4096; }
     http {
       access_log off; sendfile on;
       ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
       server { listen ${host}:${port} ${listen}; root ${directory}/www; ${server} }
     }\n`,
  );
  const [program = 'nginx', ...first] = nginx.command;
  const args = [...first, '-p', directory, '-c', configuration, '-e', 'stderr'];
  const child = spawn(...inNamespace(namespace, program, args), { stdio: ['ignore', 'ignore', 'inherit'] });
  for (let attempt = 0; !(await answers(host, port)); attempt++) {
    if (child.exitCode !== null || attempt > 200)
      throw new Error('nginx did not start; what it printed says why');
    await pause(20);
  }
  return { name, process: child, host, port, path };
}

interface Viewer {
  received: number;
  readonly rate: CaughtUpRate;
  failed: boolean;
  readonly socket: Socket;
}

async function load(
  server: MeasuredServer,
  { connections, duration, rtp }: { connections: number; duration: Seconds; rtp: Kbps },
): Promise<LoadReport> {
  const idle = await residentMegabytes(server);
  const settledAt_s = performance.now() / 1000 + SETTLING_S;
  let over = false;
  const viewers = Array.from({ length: connections }, (): Viewer => {
    const socket = connect(server.port, server.host);
    const viewer: Viewer = {
      received: 0,
      rate: new CaughtUpRate(kbpsToBytesPerSecond(rtp), settledAt_s, settledAt_s + duration / 2),
      failed: false,
      socket,
    };
    socket.write(`GET ${server.path} HTTP/1.1\r\nHost: edge\r\n\r\n`);
    socket.once('data', (head) => (viewer.failed ||= !head.toString('latin1').startsWith('HTTP/1.1 200 ')));
    socket.on('data', (chunk) => {
      viewer.received += chunk.length;
      viewer.rate.note(performance.now() / 1000, viewer.received);
    });
    socket.on('error', () => (viewer.failed = true));
    socket.on('close', () => (viewer.failed ||= !over));
    return viewer;
  });
  const received = () => viewers.reduce((sum, viewer) => sum + viewer.received, 0);

  await pause(SETTLING_S * 1000);
  const before = { cpu: await cpuSeconds(server), received: received(), time: performance.now() };
  const rss: number[] = [];
  while (performance.now() < before.time + duration * 1000) {
    rss.push(await residentMegabytes(server));
    await pause(duration * 100);
  }
  const elapsed = millisecondsToSeconds(milliseconds(performance.now() - before.time));
  const cpu_s = (await cpuSeconds(server)) - before.cpu;
  const total = averageRate(bytes(received() - before.received), elapsed) / 1e6;
  over = true;
  for (const { socket } of viewers) socket.destroy();

  const ratios = viewers.map(({ rate }) => rate.ratio);
  return {
    server: server.name,
    connections,
    errors: viewers.filter(({ failed }) => failed).length,
    lowest_ratio: Math.min(...ratios),
    highest_ratio: Math.max(...ratios),
    beyond_10_pct: ratios.filter((ratio) => Math.abs(ratio - 1) > 0.1).length,
    total_gbps: total,
    cpu_cores_per_gbps: cpu_s / elapsed / total,
    rss_mb: { idle, median: median(rss), most: Math.max(...rss) },
  };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const pause = (time_ms: number) => new Promise<void>((resolve) => setTimeout(resolve, time_ms));

async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

/** Runs this program again in the client's namespace, as the viewers of servers in another namespace. */
async function rerun(server: string, client: string, args: readonly string[]): Promise<void> {
  const node = [
    '--import',
    'tsx',
    join(root, 'tools/main.ts'),
    'bench',
    'load',
    ...args,
    '--servers-in',
    server,
  ];
  const child = spawn(...inNamespace(client, process.execPath, node), { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}

export async function main(args: string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const { connections, seconds: duration, rtp } = { ...USUAL, ...withoutUndefined(values) };
  const namespace = values['servers-in'];
  if (values.veth && namespace === undefined) {
    const link = { congestionControl: values['congestion-control'] ?? 'reno' };
    await withVethLink(link, (server, client) => rerun(server, client, args));
    return;
  }
  const reports = await benchLoad({
    connections,
    duration: seconds(duration),
    rtp: kbps(rtp),
    besideOthers: !values.alone,
    place: namespace === undefined ? LOOPBACK : { namespace, host: VETH.server },
  });
  console.table(reports.map(({ rss_mb, ...report }) => rounded({ ...report, ...megabytes(rss_mb) })));
}

const megabytes = ({ idle, median, most }: LoadReport['rss_mb']) => ({
  rss_idle: idle,
  rss_median: median,
  rss_most: most,
});

const rounded = (row: Record<string, string | number>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
    ]),
  );
