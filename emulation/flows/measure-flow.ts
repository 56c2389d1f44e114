import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCollector, type CollectorStats } from '../../p4/collector/collector.ts';
import type { Postcard } from '../../p4/collector/postcard.ts';
import { ip } from '../../p4/switch/live/ip.ts';
import { PATH_PORTS, startPath } from '../../p4/switch/live/path.ts';
import type { LiveStatus } from '../../p4/switch/live/messages.ts';
import { machineLoadBetween, type MachineLoad } from '../measure/machine/machine-load.ts';
import { machineSnapshot } from '../measure/machine/machine-snapshot.ts';
import { startTcpProbe, type AckEvents } from '../measure/tcp-probe.ts';
import { closeTogether } from '../../system/close-together.ts';
import { closeServer, listen } from '../programs/listen.ts';
import { startLabProgram } from '../programs/program.ts';
import { namespaceName } from '../links/stale.ts';
import { BASE_RTT_MS, RATE_BIT_S, bufferPackets, type FlowCell } from './flow-cells.ts';

/** The measurements of one flow; all times are of CLOCK_MONOTONIC. */
export interface MeasuredFlow {
  /** The postcards of the data packets that left the bottleneck's queue, in the order in which they left. */
  readonly postcards: readonly Postcard[];
  readonly tcp: AckEvents;
  readonly collector: CollectorStats;
  readonly device: LiveStatus;
  readonly machine: MachineLoad;
}

const READY_WITHIN_S = 30;
/** A piece is more than the kernel takes at a time, so that only the congestion window limits the flow. */
const PIECE = Buffer.alloc(256 * 1024);

/** Runs one flow from outside through the switch's queue and its delay, and ends all that it started. */
export async function measureFlow(
  cell: FlowCell,
  seconds: number,
  signal: AbortSignal,
): Promise<MeasuredFlow> {
  const inside = namespaceName();
  const postcards: Postcard[] = [];
  const flow = await closeTogether(async (onClose) => {
    ip(undefined, 'netns', 'add', inside);
    onClose(() => ip(undefined, 'netns', 'del', inside));
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      pour(socket);
    });
    onClose(() => closeServer(server, sockets));
    const port = await listen(server, cell.congestionControl);
    const collector = await startCollector({
      port: 0,
      onPostcard: (postcard) => {
        if (postcard.egressPort === PATH_PORTS.inside && postcard.payloadLength > 0) postcards.push(postcard);
      },
    });
    onClose(() => collector.close());
    const name = `sb${process.pid}`;
    const path = await startPath({
      name,
      inside,
      network: `10.214.${process.pid % 256}.0`,
      bottleneck: {
        rate_bit_s: RATE_BIT_S,
        depth_packets: bufferPackets(cell),
        delay_ns: (BASE_RTT_MS * 1e6) / 2,
      },
      uplink: { delay_ns: (BASE_RTT_MS * 1e6) / 2 },
      collectorPort: collector.port,
    });
    onClose(() => path.stop());
    // Without this the kernel sends what an ACK allows in bursts of up to 64 kB, which a small buffer cannot hold.
    ip(undefined, 'link', 'set', path.outsideInterface, 'gso_max_segs', '1');
    const probe = await startTcpProbe({ port });
    onClose(() => probe.stop());
    const receiver = startLabProgram(
      ['nsenter', `--net=/run/netns/${inside}`, '--'],
      new URL('../neighbours/tcp/tcp-receiver.ts', import.meta.url),
      [path.outsideAddress, String(port)],
    );
    onClose(() => receiver.stop());
    await receiver.expect('ready', READY_WITHIN_S);
    return { collector, path, probe, receiver };
  });
  try {
    const owners = { run: process.pid, lab: process.ppid };
    const before = machineSnapshot(owners);
    flow.receiver.send({ type: 'begin' });
    await sleep(seconds * 1000, undefined, { signal });
    const device = await flow.path.status();
    const machine = machineLoadBetween(before, machineSnapshot(owners), owners);
    await flow.receiver.stop();
    const tcp = await flow.probe.stop();
    return { postcards, tcp, collector: await flow.collector.close(), device, machine };
  } finally {
    await flow.close();
  }
}

/** Sends as fast as TCP lets, until the other side ends it. */
function pour(socket: Socket): void {
  const write = (): void => {
    while (socket.write(PIECE));
  };
  socket.on('drain', write).on('error', () => undefined);
  write();
}
