import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { Agent as HttpAgent } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { Agent as HttpsAgent } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withoutUndefined } from '../src/records.ts';
import { defineCommandLine } from '../system/command-line/command-line.ts';
import { wholeNumber } from '../system/command-line/parsers.ts';
import { root } from '../tools/steps.ts';
import { freePort } from '../system/free-port.ts';
import { countDescriptors, endProcess, residentMegabytes, type MeasuredServer } from './measured-server.ts';
import { startEdgeProcess } from './start-node-server.ts';
import { selfSigned } from '../edge/local/self-signed.ts';
import { clientHello } from '../edge/testing/client-hello.ts';
import { timedGet } from '../edge/testing/timed-get.ts';

const USUAL = { requests: 1_000_000, reuses: 10_000, streams: 1000, seconds: 20 };
const MOST = 1_000_000_000;

const commandLine = defineCommandLine({
  command: 'npm run bench -- attack',
  about:
    'Runs the attacks of edge/local/hostile-*.test.ts at full size on loopback, each against a new edge process. Measures how much memory and how many descriptors an attack costs, and how it slows the downloads of another client, the witness: the 99th percentile of its download time during the attack, over that before it. The attacker is a process of its own, so that its work does not hold the witness up.',
  options: {
    only: { valueName: 'NAME', about: 'one attack: pipelining, source-ports, idle-streams or handshakes' },
    requests: {
      valueName: 'N',
      about: `pipelining: so many requests on one connection (${USUAL.requests})`,
      parse: wholeNumber(1, MOST),
    },
    reuses: {
      valueName: 'N',
      about: `source-ports: so many connections, one after another, from one port (${USUAL.reuses})`,
      parse: wholeNumber(1),
    },
    streams: {
      valueName: 'N',
      about: `idle-streams: so many HTTP/2 streams that open no window (${USUAL.streams})`,
      parse: wholeNumber(1),
    },
    seconds: {
      valueName: 'S',
      about: `how long an attack that has no end of its own goes on (${USUAL.seconds}); the witness is alone for as long before`,
      parse: wholeNumber(1),
    },
    // `attackApart` passes this option.
    port: { valueName: 'N', about: '', isInternal: true },
  },
});
export const { help } = commandLine;

export interface AttackReport {
  readonly attack: string;
  /** The number of the attacker's requests or connections that were not served as expected. */
  readonly broken: number;
  readonly rss_growth_mb: number;
  readonly most_descriptors: number;
  /** 99th percentile of the witness's download time during the attack, as a multiple of the value before. */
  readonly witness_p99_ratio: number;
}

const WITNESS_BYTES = 1_000_000;
/**
 * The witness downloads 1 MB at 40 Mbit/s, which takes 200 ms: long enough to show a busy event loop, and short enough
 * for many downloads.
 */
const WITNESS_PATH = '/1.m4s?CMCD=rtp%3D40000';

/** The attacker's address, which differs from the witness's. */
const ATTACKER = '127.0.0.9';

/** Attacks the edge at a port on loopback. Returns how many requests or connections were not served as expected. */
type Attack = (port: number, until: number) => Promise<number>;

/** Pipelines requests on one connection as fast as the edge accepts them, and discards the answers. */
const pipelining =
  (count: number): Attack =>
  async (port, until) => {
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

/** Resets a connection and reuses its source port. Every other request has a pace; each response must match its own request. */
const sourcePorts =
  (count: number): Attack =>
  async (port) => {
    const localPort = await freePort();
    let broken = 0;
    for (let n = 0; n < count; n++) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER, localPort });
      socket.on('error', () => undefined);
      const rtp = n % 2 ? 300 : 0;
      socket.write(
        `HEAD /1.m4s${rtp ? `?CMCD=io.github.dashjs-sammy%2Crtp%3D${rtp}` : ''} HTTP/1.1\r\nHost: edge\r\n\r\n`,
      );
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
  async (port, until) => {
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

/** Begins TLS handshakes, 64 at a time, and resets each connection at the first answer. Always returns 0 failures. */
const handshakes: Attack = async (port, until) => {
  const hello = await clientHello();
  const one = async () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: ATTACKER });
    socket.on('error', () => undefined);
    socket.write(hello);
    const over = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
    socket.once('data', () => socket.resetAndDestroy());
    await over;
  };
  const oneByOne = async () => {
    while (performance.now() < until) await one();
  };
  await Promise.all(Array.from({ length: 64 }, oneByOne));
  return 0;
};

type Witness = (over: () => boolean) => Promise<number>;

/** Downloads again and again on one connection; returns the 99th percentile of the times, ms. */
function startWitness({ port }: MeasuredServer, secure: boolean): { watch: Witness; end: () => void } {
  const options = { keepAlive: true, maxSockets: 1 };
  const agent = secure ? new HttpsAgent({ ...options, rejectUnauthorized: false }) : new HttpAgent(options);
  const url = `${secure ? 'https' : 'http'}://127.0.0.1:${port}${WITNESS_PATH}`;
  const watch: Witness = async (over) => {
    const times: number[] = [];
    while (!over()) {
      const began = performance.now();
      await timedGet(url, { agent });
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    return times[Math.ceil(times.length * 0.99) - 1] ?? NaN;
  };
  return { watch, end: () => agent.destroy() };
}

/** Runs this program again as the attacker; returns the number that it prints. */
async function attackApart(server: MeasuredServer, args: readonly string[]): Promise<number> {
  const program = ['--import', 'tsx', join(root, 'tools/main.ts'), 'bench', 'attack', ...args];
  program.push('--port', String(server.port));
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('the attacker failed; what it printed above says why');
  return Number(said);
}

/** Measures one attack. With a certificate, the edge and the witness speak TLS. */
async function measure(
  { about, tls }: Plan,
  {
    args,
    seconds,
    certificate,
  }: { args: readonly string[]; seconds: number; certificate: readonly string[] },
): Promise<AttackReport> {
  const root = await mkdtemp(join(tmpdir(), 'edge-attack-'));
  await writeFile(join(root, '1.m4s'), '');
  await truncate(join(root, '1.m4s'), WITNESS_BYTES);
  const server = await startEdgeProcess(root, tls ? certificate : []);
  const witness = startWitness(server, tls);
  try {
    const aloneUntil = performance.now() + seconds * 1000;
    const alone = await witness.watch(() => performance.now() > aloneUntil);
    const before = await residentMegabytes(server);
    const attacked = { done: false };
    const attacking = attackApart(server, args).finally(() => (attacked.done = true));
    const watching = witness.watch(() => attacked.done);
    let [rss, descriptors] = [before, 0];
    while (!attacked.done) {
      rss = Math.max(rss, await residentMegabytes(server));
      descriptors = Math.max(descriptors, await countDescriptors(server));
      await sleep(100);
    }
    const during = await watching;
    return {
      attack: about,
      broken: await attacking,
      rss_growth_mb: rss - before,
      most_descriptors: descriptors,
      witness_p99_ratio: during / alone,
    };
  } finally {
    witness.end();
    await endProcess(server.process);
    await rm(root, { recursive: true, force: true });
  }
}

interface Plan {
  readonly about: string;
  readonly tls: boolean;
  readonly run: Attack;
}

const plans = (counts: { requests: number; reuses: number; streams: number }): Record<string, Plan> => ({
  pipelining: {
    about: `${counts.requests} pipelined requests`,
    tls: false,
    run: pipelining(counts.requests),
  },
  'source-ports': {
    about: `${counts.reuses} reuses of a source port`,
    tls: false,
    run: sourcePorts(counts.reuses),
  },
  'idle-streams': {
    about: `${counts.streams} idle HTTP/2 streams`,
    tls: true,
    run: idleStreams(counts.streams),
  },
  handshakes: { about: 'TLS handshakes that are broken off', tls: true, run: handshakes },
});

async function measureAll(chosen: Record<string, Plan>, seconds: number, args: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'edge-attack-tls-'));
  const { cert, key } = await selfSigned();
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(certFile, cert);
  await writeFile(keyFile, key);
  const certificate = ['--tls-cert', certFile, '--tls-key', keyFile];
  try {
    for (const [name, plan] of Object.entries(chosen)) {
      console.log(await measure(plan, { args: [...args, '--only', name], seconds, certificate }));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function main(args: string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const { requests, reuses, streams, seconds } = { ...USUAL, ...withoutUndefined(values) };
  const all = plans({ requests, reuses, streams });
  const only = values.only === undefined ? undefined : all[values.only];
  if (values.only !== undefined && only === undefined)
    throw new Error(`--only is '${values.only}', expected one of ${Object.keys(all).join(', ')}`);
  if (values.port === undefined) {
    await measureAll(values.only !== undefined && only ? { [values.only]: only } : all, seconds, args);
  } else {
    console.log(await only?.run(Number(values.port), performance.now() + seconds * 1000));
  }
}
