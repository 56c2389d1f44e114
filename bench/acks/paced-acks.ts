import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../../emulation/ground/statistics/bootstrap.ts';
import type { AckEvent } from '../../emulation/network/measure/ack-event.ts';
import { startTcpProbe } from '../../emulation/network/measure/tcp-probe.ts';
import { ip } from '../../system/namespaces/ip.ts';
import { startPath } from '../../p4/switch/live/path.ts';
import { createNamespace, withNamespaces } from '../../system/namespaces/namespaces.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { firstLine } from '../loop/first-line.ts';

/** A change to responses that an edge paces, over the P4 switch. */
export interface Variant {
  readonly pace_kbps: number;
  /** The client acknowledges every packet immediately, instead of every second packet. */
  readonly acksAll?: true;
  /** The sender's kernel sends at least so many packets together (`tcp_min_tso_segs`). */
  readonly least_packets?: number;
  /** The link forwards in slots of this length, like mahimahi's. */
  readonly slot_ms?: number;
}

export interface PacedAcks {
  /** The kernel's smoothed RTT at each ACK, median. */
  readonly rtt_ms: number;
  /** The ACKs after which an odd number of full packets is on its way, so that the second of a pair waits for the next pair. */
  readonly odd_pct: number;
}

/** The link of `run single`. */
const LINK = { rate_bit_s: 40e6, depth_bytes: 100_000, delay_ns: 2.5e6 };
const PORT = 5400;
const RESPONSES = 8;
const RESPONSE_BYTES = 400_000;
/** Between responses, of a player that has been told at once. */
const PAUSE_MS = 20;
const PAYLOAD_BYTES = 1448;
/** The first responses are in slow start. */
const SKIPPED = 0.1;

const EDGE = fileURLToPath(new URL('../../edge/local/main.ts', import.meta.url));
/** Fetches one response after the other on one connection, by Node's own client. */
const CLIENT = `
const { Agent, get } = require('node:http');
const [url, pace, count, pause] = process.argv.slice(1);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const fetchAgain = (left) => {
  if (left === 0) return agent.destroy();
  get(url, { agent, headers: { 'CMCD-Status': 'rtp=' + pace } }, (response) => {
    response.resume().on('end', () => setTimeout(fetchAgain, Number(pause), left - 1));
  });
};
fetchAgain(Number(count));`;

/** Needs root. */
export async function pacedAcks({ pace_kbps, acksAll, least_packets, slot_ms }: Variant): Promise<PacedAcks> {
  const [outside, inside] = [createNamespace('server'), createNamespace('client')];
  const folder = await mkdtemp(join(tmpdir(), 'acks-'));
  const link = { ...LINK, ...(slot_ms !== undefined && { gather_ns: slot_ms * 1e6 }) };
  try {
    await writeFile(join(folder, 'segment'), Buffer.alloc(RESPONSE_BYTES));
    return await withNamespaces([outside, inside], 'reno', async () => {
      const path = await startPath({
        ...{ name: 'acks', outside, inside, network: '10.213.16.0' },
        ...{ bottleneck: link, uplink: link },
      });
      try {
        if (least_packets !== undefined) await setInside(outside, 'tcp_min_tso_segs', least_packets);
        if (acksAll)
          ip(
            ...[inside, 'route', 'replace', '10.213.16.0/30', 'dev', path.insideInterface],
            ...['src', path.insideAddress, 'quickack', '1'],
          );
        return summarizeAcks(
          await fetched(outside, inside, folder, `${path.outsideAddress}:${PORT}`, pace_kbps),
        );
      } finally {
        await path.stop();
      }
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const inNamespace = (namespace: string, ...command: readonly string[]) =>
  spawn('ip', ['netns', 'exec', namespace, ...command], { stdio: ['ignore', 'pipe', 'inherit'] });

const setInside = (namespace: string, name: string, value: number): Promise<unknown> =>
  runQuietly('ip', ['netns', 'exec', namespace, 'sh', '-c', `echo ${value} >/proc/sys/net/ipv4/${name}`]);

async function fetched(
  outside: string,
  inside: string,
  folder: string,
  host: string,
  pace_kbps: number,
): Promise<readonly AckEvent[]> {
  const options = ['--origin', folder, '--host', '0.0.0.0', '--port', String(PORT)];
  const edge = inNamespace(
    ...[outside, process.execPath, '--import', 'tsx', EDGE],
    ...[...options, '--congestion-control', 'reno'],
  );
  try {
    await firstLine(edge);
    const probe = await startTcpProbe({ port: PORT });
    const words = [`http://${host}/segment`, pace_kbps, RESPONSES, PAUSE_MS].map(String);
    await once(inNamespace(inside, process.execPath, '-e', CLIENT, ...words), 'exit');
    return (await probe.stop()).events;
  } finally {
    edge.kill();
  }
}

export function summarizeAcks(events: readonly AckEvent[]): PacedAcks {
  const used = events.filter(({ srtt_ms }) => srtt_ms > 0).slice(Math.ceil(SKIPPED * events.length));
  const odd = used.filter(
    ({ snd_nxt, snd_una }) => Math.round((snd_nxt - snd_una) / PAYLOAD_BYTES) % 2 === 1,
  );
  return { rtt_ms: median(used.map(({ srtt_ms }) => srtt_ms)), odd_pct: (100 * odd.length) / used.length };
}
