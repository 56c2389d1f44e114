import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  bytes,
  bytesAt,
  kbps,
  kbpsToBytesPerSecond,
  milliseconds,
  millisecondsToSeconds,
  rateOf,
  seconds,
  type Kbps,
  type Seconds,
} from '../src/units.ts';
import { findExecutable } from '../system/find-executable.ts';
import { ensureModule, nginxLack } from '../edge/nginx/module.ts';

/**
 * Measures pacing for many viewers at once, each with one long response. The local edge runs at the same time as nginx
 * with `limit_rate`, and as nginx with the module of edge/nginx if that can be built, all serving the same file.
 *
 *     node --import tsx bench/load.ts [--connections 200] [--seconds 60] [--rtp 2000] [--alone]
 */
export interface LoadReport {
  readonly server: string;
  readonly connections: number;
  /** Connections refused, broken off or answered with an error. */
  readonly errors: number;
  /** Lowest goodput of a connection over the rate asked for, after the settling time. */
  readonly lowest_ratio: number;
  readonly highest_ratio: number;
  /** Number of connections whose goodput is more than 10% off the rate asked for. */
  readonly beyond_10_pct: number;
  readonly total_gbps: number;
  /** CPU time of the server process (user and system) over elapsed time, per Gbit/s. */
  readonly cpu_cores_per_gbps: number;
  /** Resident memory after the settling time, and the highest and the last value from then on. */
  readonly rss_mb: { readonly first: number; readonly most: number; readonly last: number };
}

/** The kernel sends a connection's first ten packets at once: on loopback 640 kB, which is 2.6 s at 2 Mbit/s. */
const SETTLING_S = seconds(4);
const FILE = '1.m4s';

export interface LoadServer {
  readonly name: string;
  readonly process: ChildProcess;
  readonly port: number;
  readonly path: string;
}

export async function benchLoad({
  connections = 200,
  duration = seconds(60),
  rtp = kbps(2000),
  besideNginx = true,
} = {}): Promise<LoadReport[]> {
  const directory = await mkdtemp(join(tmpdir(), 'edge-load-'));
  const servers: LoadServer[] = [];
  try {
    await mkdir(join(directory, 'www'));
    const file = join(directory, 'www', FILE);
    await writeFile(file, '');
    // A sparse file, half as large again as what is sent.
    await truncate(file, Math.round(bytesAt(rtp, seconds(SETTLING_S + duration)) * 1.5) + 2_000_000);
    const limits = ['--max-connections-per-address', String(connections)];
    const path = `/${FILE}?CMCD=rtp%3D${rtp}`;
    servers.push(await startEdgeProcess(join(directory, 'www'), limits, path));
    if (besideNginx) {
      const limit = `limit_rate ${kbpsToBytesPerSecond(rtp)};`;
      servers.push(await startNginx(directory, 'nginx limit_rate', { server: limit }));
      if ((await nginxLack()) === null) {
        const main = `load_module ${await ensureModule(() => undefined)};`;
        const path = `/${FILE}?CMCD=rtp%3D${rtp}`;
        servers.push(await startNginx(directory, 'nginx cmcd_pace', { main, server: 'cmcd_pace on;', path }));
      }
    }
    return await Promise.all(servers.map((server) => load(server, { connections, duration, rtp })));
  } finally {
    await Promise.all(servers.map(({ process }) => endProcess(process)));
    await rm(directory, { recursive: true, force: true });
  }
}

/** Ends a process and waits for its exit. If SIGTERM has no effect for 5 s, says so and kills it. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  const patience = setTimeout(() => {
    console.error(`process ${child.pid ?? ''} did not end at SIGTERM; killing it`);
    child.kill('SIGKILL');
  }, 5000);
  child.kill();
  await exit;
  clearTimeout(patience);
}

/** Starts an edge in its own process, serving the directory `origin`. `options` are those of its command line. */
export async function startEdgeProcess(
  origin: string,
  options: readonly string[],
  path = '/',
): Promise<LoadServer> {
  const command = JSON.stringify(fileURLToPath(new URL('../edge/local/command.ts', import.meta.url)));
  const args = JSON.stringify(['--origin', origin, '--port', '0', ...options]);
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', `(await import(${command})).main(${args})`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  while (!said.includes('\n')) {
    if (child.exitCode !== null) throw new Error('the edge ended; what it printed above says why');
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
  const port = Number(/:(\d+)$/.exec(said.split('\n', 1)[0] ?? '')?.[1]);
  return { name: 'edge', process: child, port, path };
}

async function startNginx(
  directory: string,
  name: string,
  { main = '', server, path = `/${FILE}` }: { main?: string; server: string; path?: string },
): Promise<LoadServer> {
  const nginx = findExecutable('nginx');
  if (nginx === undefined) {
    throw new Error(
      'nginx is needed to compare with; install it (apt-get install nginx-light) or give --alone',
    );
  }
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const configuration = join(directory, `${name.replace(' ', '-')}.conf`);
  await writeFile(
    configuration,
    `${main} daemon off; master_process off; pid ${configuration}.pid; error_log stderr error;
     events { worker_connections 4096; }
     http {
       access_log off; sendfile on;
       ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
       server {
         listen 127.0.0.1:${port}; root ${directory}/www; ${server}
       }
     }\n`,
  );
  const child = spawn(nginx, ['-p', directory, '-c', configuration, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let attempt = 0; !(await answers(port)); attempt++) {
    if (child.exitCode !== null || attempt > 200)
      throw new Error('nginx did not start; what it printed says why');
    await pause(20);
  }
  return { name, process: child, port, path };
}

interface Viewer {
  received: number;
  /** The first data after the settling time. */
  start: { readonly time: number; readonly received: number } | null;
  lastTime: number;
  failed: boolean;
  readonly socket: Socket;
}

async function load(
  server: LoadServer,
  { connections, duration, rtp }: { connections: number; duration: Seconds; rtp: Kbps },
): Promise<LoadReport> {
  const settledAt = performance.now() + SETTLING_S * 1000;
  let over = false;
  const viewers = Array.from({ length: connections }, (): Viewer => {
    const socket = connect(server.port, '127.0.0.1');
    const viewer: Viewer = { received: 0, start: null, lastTime: 0, failed: false, socket };
    socket.write(`GET ${server.path} HTTP/1.1\r\nHost: edge\r\n\r\n`);
    socket.once('data', (head) => (viewer.failed ||= !head.toString('latin1').startsWith('HTTP/1.1 200 ')));
    socket.on('data', (chunk) => {
      const now = performance.now();
      viewer.received += chunk.length;
      viewer.lastTime = now;
      if (now >= settledAt) viewer.start ??= { time: now, received: viewer.received };
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
    await pause(Math.min(1000, duration * 100));
  }
  const elapsed = millisecondsToSeconds(milliseconds(performance.now() - before.time));
  const cpu_s = (await cpuSeconds(server)) - before.cpu;
  const total = rateOf(bytes(received() - before.received), elapsed) / 1e6;
  over = true;
  for (const { socket } of viewers) socket.destroy();

  const ratios = viewers.map(({ start, received, lastTime }) => {
    if (!start || lastTime === start.time) return 0;
    const time = millisecondsToSeconds(milliseconds(lastTime - start.time));
    return rateOf(bytes(received - start.received), time) / rtp;
  });
  return {
    server: server.name,
    connections,
    errors: viewers.filter(({ failed }) => failed).length,
    lowest_ratio: Math.min(...ratios),
    highest_ratio: Math.max(...ratios),
    beyond_10_pct: ratios.filter((ratio) => Math.abs(ratio - 1) > 0.1).length,
    total_gbps: total,
    cpu_cores_per_gbps: cpu_s / elapsed / total,
    rss_mb: { first: rss[0] ?? 0, most: Math.max(...rss), last: rss.at(-1) ?? 0 },
  };
}

/** proc(5): `utime` and `stime`, fields 14 and 15 of `stat`, in ticks of 10 ms. Field 2, a name, may contain spaces. */
async function cpuSeconds({ process }: LoadServer): Promise<number> {
  const stat = await readFile(`/proc/${process.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export async function residentMegabytes({ process }: LoadServer): Promise<number> {
  const status = await readFile(`/proc/${process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000;
}

export const descriptorsOf = async ({ process }: LoadServer): Promise<number> =>
  (await readdir(`/proc/${process.pid}/fd`)).length;

const pause = (time_ms: number) => new Promise<void>((resolve) => setTimeout(resolve, time_ms));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '60' },
      rtp: { type: 'string', default: '2000' },
      alone: { type: 'boolean', default: false },
    },
  });
  const [connections, duration, rtp] = [values.connections, values.seconds, values.rtp].map(Number);
  if (!connections || !duration || !rtp) throw new Error('--connections, --seconds and --rtp expect numbers');
  const besideNginx = !values.alone;
  const reports = await benchLoad({ connections, duration: seconds(duration), rtp: kbps(rtp), besideNginx });
  const round = (value: number) => Math.round(value * 1000) / 1000;
  console.table(
    reports.map(({ rss_mb, ...report }) =>
      Object.fromEntries(
        Object.entries({
          ...report,
          rss_first: rss_mb.first,
          rss_most: rss_mb.most,
          rss_last: rss_mb.last,
        }).map(([name, value]) => [name, typeof value === 'number' ? round(value) : value]),
      ),
    ),
  );
  const [edge, nginx] = reports;
  if (edge && nginx) {
    console.log(
      `CPU per Gbit/s, edge over nginx: ${round(edge.cpu_cores_per_gbps / nginx.cpu_cores_per_gbps)}`,
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
