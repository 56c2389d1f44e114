import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../system/free-port.ts';
import { descriptorsOf, endProcess, residentMegabytes, type MeasuredServer } from './measured-server.ts';
import { startEdgeProcess } from './start-node-server.ts';
import { selfSigned } from '../edge/local/self-signed.ts';
import { timedGet } from '../edge/testing/timed-get.ts';

/**
 * Runs the attacks of hostile-*.test.ts at full size on loopback, each against a new edge process. Measures how much
 * memory and how many descriptors an attack costs, and how it slows the downloads of another client, the witness.
 *
 *     node --import tsx bench/attack.ts [--requests 1000000] [--reuses 10000] [--streams 1000] [--seconds 20]
 */
export interface AttackReport {
  readonly attack: string;
  /** How many of the attacker's requests or connections were not served as expected. */
  readonly broken: number;
  readonly rss_growth_mb: number;
  readonly most_descriptors: number;
  /** 99th percentile of the witness's download time, during the attack over before it; NaN without a witness. */
  readonly witness_p99_ratio: number;
}

const WITNESS_BYTES = 1_000_000;
/** 1 MB at 40 Mbit/s takes 200 ms: long enough to show a busy event loop, short enough for many downloads. */
const WITNESS_PATH = '/1.m4s?CMCD=rtp%3D40000';

type Attack = (server: MeasuredServer, until: number) => Promise<number>;

/** Pipelines requests on one connection as fast as the edge takes them. The answers are discarded. */
const pipelining =
  (count: number): Attack =>
  async ({ port }, until) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.resume();
    const batch = 'GET /none HTTP/1.1\r\nHost: edge\r\n\r\n'.repeat(1000);
    for (let sent = 0; sent < count; sent += 1000) {
      const taken = socket.write(batch);
      while (!taken && socket.writableNeedDrain && performance.now() < until) await sleep(10);
    }
    await sleep(Math.max(0, until - performance.now()));
    const wasOpen = !socket.destroyed;
    socket.destroy();
    return wasOpen ? 0 : 1;
  };

/** Resets a connection and reuses its source port. Every other request asks for a pace; each must get what it asked for. */
const sourcePorts =
  (count: number): Attack =>
  async ({ port }) => {
    const localPort = await freePort();
    let broken = 0;
    for (let n = 0; n < count; n++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9', localPort });
      socket.on('error', () => undefined);
      const rtp = n % 2 ? 300 : 0;
      socket.write(`HEAD /1.m4s${rtp ? `?CMCD=rtp%3D${rtp}` : ''} HTTP/1.1\r\nHost: edge\r\n\r\n`);
      const heard = await new Promise<string>((resolve) => {
        socket.once('data', (head: Buffer) => resolve(head.toString('latin1')));
        socket.once('close', () => resolve(''));
      });
      if (!heard.includes(`dashjs-sammy-pace=${rtp}\r\n`)) broken += 1;
      socket.resetAndDestroy();
    }
    return broken;
  };

/** Opens HTTP/2 streams, sixteen per session, whose flow-control window stays at 0. */
const idleStreams =
  (count: number): Attack =>
  async ({ port }, until) => {
    const sessions = Array.from({ length: Math.ceil(count / 16) }, () =>
      connectHttp2(`https://127.0.0.1:${port}`, {
        rejectUnauthorized: false,
        settings: { initialWindowSize: 0 },
      }),
    );
    let answered = 0;
    for (const session of sessions) session.on('error', () => undefined);
    await Promise.all(sessions.map((session) => once(session, 'remoteSettings')));
    for (const session of sessions) {
      for (let n = 0; n < 16; n++) {
        const stream = session.request({ ':path': '/1.m4s' });
        stream.on('error', () => undefined);
        stream.once('response', () => (answered += 1));
      }
    }
    await sleep(Math.max(0, until - performance.now()));
    for (const session of sessions) session.destroy();
    return sessions.length * 16 - answered;
  };

async function witness(server: MeasuredServer, over: () => boolean): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  while (!over()) {
    const began = performance.now();
    await timedGet(`http://127.0.0.1:${server.port}${WITNESS_PATH}`, { agent });
    times.push(performance.now() - began);
  }
  agent.destroy();
  times.sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? NaN;
}

/** Measures one attack. With TLS options in `extra` there is no witness, because it speaks HTTP/1.1 without TLS. */
async function measure(
  attack: string,
  run: Attack,
  seconds: number,
  extra: readonly string[] = [],
): Promise<AttackReport> {
  const root = await mkdtemp(join(tmpdir(), 'edge-attack-'));
  await writeFile(join(root, '1.m4s'), '');
  await truncate(join(root, '1.m4s'), WITNESS_BYTES);
  const secure = extra.length > 0;
  const server = await startEdgeProcess(root, extra);
  try {
    const halfway = performance.now() + seconds * 500;
    const alone = secure ? NaN : await witness(server, () => performance.now() > halfway);
    if (secure) await sleep(1000);
    const before = await residentMegabytes(server);
    const until = performance.now() + seconds * 1000;
    const attacked = { done: false };
    const attacking = run(server, until).finally(() => (attacked.done = true));
    const watching = secure ? NaN : witness(server, () => attacked.done);
    let [rss, descriptors] = [before, 0];
    while (!attacked.done) {
      rss = Math.max(rss, await residentMegabytes(server));
      descriptors = Math.max(descriptors, await descriptorsOf(server));
      await sleep(100);
    }
    const during = await watching;
    return {
      attack,
      broken: await attacking,
      rss_growth_mb: rss - before,
      most_descriptors: descriptors,
      witness_p99_ratio: during / alone,
    };
  } finally {
    await endProcess(server.process);
    await rm(root, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: {
      requests: text('1000000'),
      reuses: text('10000'),
      streams: text('1000'),
      seconds: text('20'),
    },
  });
  const [requests, reuses, streams, seconds] = [
    values.requests,
    values.reuses,
    values.streams,
    values.seconds,
  ].map(Number);
  if (!requests || !reuses || !streams || !seconds) throw new Error('every option expects a number above 0');
  const folder = await mkdtemp(join(tmpdir(), 'edge-attack-tls-'));
  const { cert, key } = await selfSigned();
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
  const tls = ['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem')];
  try {
    console.log(await measure(`${requests} pipelined requests`, pipelining(requests), seconds));
    console.log(await measure(`${reuses} reuses of a source port`, sourcePorts(reuses), seconds));
    console.log(await measure(`${streams} idle HTTP/2 streams`, idleStreams(streams), seconds, tls));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
