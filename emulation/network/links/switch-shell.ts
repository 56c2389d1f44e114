import { monotonic_ms } from '../../ground/clock/monotonic.ts';
import { tmpdir } from 'node:os';
import { closeTogether } from '../../../system/close-together.ts';
import type { Link } from './link.ts';
import { linkLogFromPostcards, queueRows, type PacketDeparture } from './postcard-link.ts';
import { startShell, type Shell } from './shell.ts';
import { openSwitchPath } from './switch-path.ts';

/** An Ethernet frame around a packet of 1500 bytes. The switch's rate counts frames. */
const FRAME_BYTES = 1514;
const PACKET_BYTES = 1500;
/** The time that kernels, TAP interfaces and the switch's thread add to a round trip of two packets. */
const FORWARDING_MS = 0.3;

/**
 * The link in the P4 switch alone: the switch applies rate, queue, delay, jitter and loss of each direction by its own
 * schedule, and reports every packet's queue in a postcard. The same seed draws the same random numbers.
 *
 *     outside: edge ── switch (queue, rate, delay, loss, postcards) ── inside: browser
 */
export async function openSwitchShell(link: Link, seed: number): Promise<Shell> {
  return closeTogether(async (onClose) => {
    const departures: PacketDeparture[] = [];
    const epoch_ms = Date.now() - monotonic_ms();
    const opened = await openSwitchPath(link, {
      apart: 'inside',
      seed,
      onPostcard({ t_s, queueTime, packetLength, enqueueDepth, dropped }) {
        if (dropped) return;
        const enqueued_ms = t_s * 1000 + epoch_ms;
        const left_ms = enqueued_ms + queueTime / 1000;
        departures.push({ enqueued_ms, left_ms, bytes: packetLength, depth_packets: enqueueDepth });
      },
    });
    onClose(() => opened.close());
    const { path, namespace, mean_mbps } = opened;
    const within = ['nsenter', `--net=/run/netns/${namespace}`, '--'];
    const waiting = await startShell(tmpdir(), within, path.outsideAddress);
    onClose(waiting.close);
    let droppedBefore = 0;
    return {
      pid: waiting.pid,
      outsideHost: waiting.outsideHost,
      // The interface inside is a TAP, which counts whole frames, as the link's rate does.
      countedBytes: PACKET_BYTES,
      delay_ms: link.rtt_ms,
      toolDelay_ms: pairMs(mean_mbps) + FORWARDING_MS,
      readQueue: async (since_ms) => ({
        dropped_packets: await opened.dropped(),
        // Full-size packets filled the queue, so the depth in packets gives the depth in bytes.
        deepest_bytes: departures
          .filter(({ enqueued_ms }) => enqueued_ms >= since_ms)
          .reduce((deepest, { depth_packets }) => Math.max(deepest, (depth_packets + 1) * FRAME_BYTES), 0),
        // Unknown, because a dropped packet has no postcard.
        least_refused_bytes: null,
      }),
      setVideoPort: (port) => opened.setVideoPort(port),
      async markStart() {
        droppedBefore = await opened.dropped();
        await path.device.restartLateness();
      },
      async readLink(options) {
        const { lateness } = await path.status();
        const dropped_packets = (await opened.dropped()) - droppedBefore;
        return {
          log: linkLogFromPostcards(departures, options, { dropped_packets, mean_mbps }),
          queue: queueRows(departures, options),
          lost: opened.lost(),
          lateness_p99_ms: lateness.p99 / 1000,
        };
      },
    };
  });
}

/** The transmission time of two consecutive packets. */
const pairMs = (mbps: number): number => (2 * FRAME_BYTES * 8) / 1000 / mbps;
