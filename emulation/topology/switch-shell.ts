import { mkdtemp, chmod, rm } from 'node:fs/promises';
import { runQuietly } from '../../edge/media/run-quietly.ts';
import { startCollector } from '../../p4/collector/collector.ts';
import { startPath } from '../../p4/switch/live/path.ts';
import type { Link } from './link.ts';
import { linkOfPostcards, queueRows, type Departure } from './postcard-link.ts';
import { LINK_FIRST, delayShell, startShell, type Shell } from './shell.ts';
import { linkFolder, namespaceName } from './stale.ts';

/** An Ethernet frame around a packet of 1500 bytes: what the switch's rate counts. */
const FRAME_BYTES = 1514;

/**
 * The same link with the P4 switch as its bottleneck, every packet's queue in a postcard; mahimahi still gives the
 * delay, inside a namespace behind the switch.
 *
 *     outside: edge ── switch (rate, queue, postcards) ── router's namespace ── mm-delay ── inside: browser
 */
export async function openSwitchShell(link: Link): Promise<Shell> {
  if (link.rate.kind !== 'constant')
    throw new Error('the P4 switch has a constant rate; use mahimahi for others');
  const { mbps } = link.rate;
  const unique = process.pid % 8192;
  const router = namespaceName();
  const undo: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of undo.reverse()) await step().catch(() => undefined);
    undo.length = 0;
  };
  try {
    await runQuietly('ip', ['netns', 'add', router]);
    undo.push(() => runQuietly('ip', ['netns', 'delete', router]));
    const departures: Departure[] = [];
    const epoch_ms = Date.now() - Number(process.hrtime.bigint()) / 1e6;
    const collector = await startCollector({
      port: 0,
      onPostcard({ egressPort, t_s, queueTime, packetLength, enqueueDepth }) {
        if (egressPort !== INSIDE_PORT) return;
        const enqueued_ms = t_s * 1000 + epoch_ms;
        const left_ms = enqueued_ms + queueTime / 1000;
        departures.push({ enqueued_ms, left_ms, bytes: packetLength, depth_packets: enqueueDepth });
      },
    });
    undo.push(() => collector.close());
    const settings = { rate_bit_s: mbps * 1e6, depth_bytes: link.queue_bytes };
    const path = await startPath({
      name: `ds${unique}`,
      inside: router,
      // Of 10.128.0.0/9, eight addresses for each process.
      network: `10.${128 + (unique >> 8)}.${unique & 255}.0`,
      bottleneck: settings,
      uplink: settings,
      collectorPort: collector.port,
    });
    undo.push(() => path.stop());
    const inRouter = ['nsenter', `--net=/run/netns/${router}`, '--'];
    const [enter = '', ...words] = inRouter;
    await runQuietly(enter, [...words, 'sysctl', '-qw', 'net.ipv4.ip_forward=1']);
    await runQuietly(enter, [...words, 'ip', 'link', 'set', 'lo', 'up']);
    const folder = await mkdtemp(linkFolder());
    await chmod(folder, 0o777);
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const inner = await startShell(folder, [...inRouter, ...LINK_FIRST, ...delayShell(link.rtt_ms)]);
    undo.push(inner.close);
    const dropped = async () =>
      (await path.status()).ports.find(({ port }) => port === INSIDE_PORT)?.dropped ?? 0;
    const droppedBefore = await dropped();
    return {
      pid: inner.pid,
      outsideHost: path.outsideAddress,
      countedBytes: FRAME_BYTES,
      async readLink(options) {
        const dropped_packets = (await dropped()) - droppedBefore;
        return {
          log: linkOfPostcards(departures, options, { dropped_packets, mbps }),
          queue: queueRows(departures, options, mbps),
        };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const INSIDE_PORT = 2;
