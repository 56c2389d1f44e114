import { mkdtemp, chmod, rm } from 'node:fs/promises';
import { runQuietly } from '../../system/run-quietly.ts';
import { startCollector } from '../../p4/collector/collector.ts';
import { PATH_PORTS, startPath } from '../../p4/switch/live/path.ts';
import type { Link } from './link.ts';
import { openDelayIn } from './delay-in.ts';
import { linkOfPostcards, queueRows, type Departure } from './postcard-link.ts';
import { closeTogether } from '../../system/close-together.ts';
import type { Shell } from './shell.ts';
import { linkFolder, namespaceName } from './stale.ts';

/** An Ethernet frame around a packet of 1500 bytes: what the switch's rate counts. */
const FRAME_BYTES = 1514;
/**
 * The switch's own part of an idle round trip, with a pair's serialization: 1.0 to 1.5 ms, the least of six calibrations
 * at 40 and at 20 Mbit/s.
 */
const SWITCH_MS = 1.3;

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
  return closeTogether(async (onClose) => {
    await runQuietly('ip', ['netns', 'add', router]);
    onClose(() => runQuietly('ip', ['netns', 'delete', router]));
    const departures: Departure[] = [];
    const epoch_ms = Date.now() - Number(process.hrtime.bigint()) / 1e6;
    const collector = await startCollector({
      port: 0,
      onPostcard({ egressPort, t_s, queueTime, packetLength, enqueueDepth }) {
        if (egressPort !== PATH_PORTS.inside) return;
        const enqueued_ms = t_s * 1000 + epoch_ms;
        const left_ms = enqueued_ms + queueTime / 1000;
        departures.push({ enqueued_ms, left_ms, bytes: packetLength, depth_packets: enqueueDepth });
      },
    });
    onClose(() => collector.close());
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
    onClose(() => path.stop());
    const folder = await mkdtemp(linkFolder());
    await chmod(folder, 0o777);
    onClose(() => rm(folder, { recursive: true, force: true }));
    const eachWay_ms = Math.floor(link.rtt_ms / 2);
    const inner = await openDelayIn(router, eachWay_ms, folder);
    onClose(inner.close);
    const dropped = async () =>
      (await path.status()).ports.find(({ port }) => port === PATH_PORTS.inside)?.dropped ?? 0;
    let droppedBefore = 0;
    return {
      pid: inner.pid,
      outsideHost: path.outsideAddress,
      countedBytes: FRAME_BYTES,
      delay_ms: 2 * eachWay_ms,
      toolDelay_ms: SWITCH_MS,
      readQueue: async (since_ms) => ({
        dropped_packets: await dropped(),
        // What has filled the queue since are packets of full size: each found so many of its kind before it.
        deepest_bytes: departures
          .filter(({ enqueued_ms }) => enqueued_ms >= since_ms)
          .reduce((deepest, { depth_packets }) => Math.max(deepest, (depth_packets + 1) * FRAME_BYTES), 0),
        // A packet that was dropped has no postcard.
        least_refused_bytes: null,
      }),
      async begins() {
        droppedBefore = await dropped();
      },
      async readLink(options) {
        const dropped_packets = (await dropped()) - droppedBefore;
        return {
          log: linkOfPostcards(departures, options, { dropped_packets, mbps }),
          queue: queueRows(departures, options, mbps),
          lost: collector.stats().lost,
        };
      },
    };
  });
}
