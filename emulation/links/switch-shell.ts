import { tmpdir } from 'node:os';
import { startCollector } from '../../p4/collector/collector.ts';
import { ip } from '../../p4/switch/live/ip.ts';
import { PATH_PORTS, startPath } from '../../p4/switch/live/path.ts';
import { closeTogether } from '../../system/close-together.ts';
import type { Link } from './link.ts';
import { linkOfPostcards, queueRows, type PacketDeparture } from './postcard-link.ts';
import { startShell, type Shell } from './shell.ts';
import { namespaceName } from './stale.ts';
import { switchRates } from './switch-rate.ts';

/** An Ethernet frame around a packet of 1500 bytes: what the switch's rate counts. */
const FRAME_BYTES = 1514;
const PACKET_BYTES = 1500;
/** The time that kernels, TAP interfaces and the switch's thread add to a round trip of two packets. */
const FORWARDING_MS = 0.3;

/**
 * The same link in the P4 switch alone: rate, queue, delay and loss of each direction on the switch's own schedule, and
 * every packet's queue in a postcard.
 *
 *     outside: edge ── switch (queue, rate, delay, loss, postcards) ── inside: browser
 *
 * The same seed loses the same packets.
 */
export async function openSwitchShell(link: Link, seed: number): Promise<Shell> {
  const { downlink, uplink } = await switchRates(link.rate);
  const unique = process.pid % 8192;
  const inside = namespaceName();
  return closeTogether(async (onClose) => {
    ip(undefined, 'netns', 'add', inside);
    onClose(() => ip(undefined, 'netns', 'del', inside));
    ip(inside, 'link', 'set', 'lo', 'up');
    const departures: PacketDeparture[] = [];
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
    const both = {
      depth_bytes: link.queue_bytes,
      delay_ns: Math.round((link.rtt_ms * 1e6) / 2),
      loss: link.loss ?? 0,
    };
    const path = await startPath({
      name: `ds${unique}`,
      inside,
      // Of 10.128.0.0/9, eight addresses for each process.
      network: `10.${128 + (unique >> 8)}.${unique & 255}.0`,
      bottleneck: { ...downlink.settings, ...both },
      uplink: { ...uplink.settings, ...both },
      collectorPort: collector.port,
      seed,
    });
    onClose(() => path.stop());
    const within = ['nsenter', `--net=/run/netns/${inside}`, '--'];
    const waiting = await startShell(tmpdir(), within, path.outsideAddress);
    onClose(waiting.close);
    const dropped = async () =>
      (await path.status()).ports.find(({ port }) => port === PATH_PORTS.inside)?.dropped ?? 0;
    let droppedBefore = 0;
    return {
      pid: waiting.pid,
      outsideHost: waiting.outsideHost,
      // The interface inside, a TAP, counts frames, as the rate does.
      countedBytes: PACKET_BYTES,
      delay_ms: link.rtt_ms,
      toolDelay_ms: pairMs(downlink.mean_mbps) + FORWARDING_MS,
      readQueue: async (since_ms) => ({
        dropped_packets: await dropped(),
        // The packets that have filled the queue since are of full size, so the depth in packets gives that in bytes.
        deepest_bytes: departures
          .filter(({ enqueued_ms }) => enqueued_ms >= since_ms)
          .reduce((deepest, { depth_packets }) => Math.max(deepest, (depth_packets + 1) * FRAME_BYTES), 0),
        // A packet that was dropped has no postcard.
        least_refused_bytes: null,
      }),
      async begins() {
        droppedBefore = await dropped();
        await path.device.restartLateness();
      },
      async readLink(options) {
        const { lateness } = await path.status();
        const dropped_packets = (await dropped()) - droppedBefore;
        return {
          log: linkOfPostcards(departures, options, { dropped_packets, mean_mbps: downlink.mean_mbps }),
          queue: queueRows(departures, options),
          lost: collector.stats().lost,
          lateness_p99_ms: lateness.p99 / 1000,
        };
      },
    };
  });
}

/** The time of two packets, one after the other, on the link. */
const pairMs = (mbps: number): number => (2 * FRAME_BYTES * 8) / 1000 / mbps;
