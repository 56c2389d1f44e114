import { startCollector } from '../../p4/collector/collector.ts';
import type { Postcard } from '../../p4/collector/postcard.ts';
import { ip } from '../../p4/switch/live/ip.ts';
import { PATH_PORTS, startPath, type Path } from '../../p4/switch/live/path.ts';
import { closeTogether } from '../../system/close-together.ts';
import type { Link } from './link.ts';
import { namespaceName } from './stale.ts';
import { switchRates } from './switch-rate.ts';

interface SwitchPathOptions {
  /** Which end is in a network namespace of its own; the other one is in that of this process. */
  readonly apart: 'inside' | 'outside';
  /** The same seed loses the same packets. */
  readonly seed: number;
  /** Hears of every packet that has left the downlink's queue, in the order of departure. */
  readonly onPostcard: (postcard: Postcard) => void;
}

/** The link in the P4 switch, between this process's network namespace and a new one. */
export interface SwitchPath {
  readonly path: Path;
  /** The new network namespace. */
  readonly namespace: string;
  /** The mean rate of the downlink. */
  readonly mean_mbps: number;
  /** Packets that found the downlink's queue full, since the start. */
  dropped(): Promise<number>;
  /** Postcards that were sent and never came. */
  lost(): number;
  close(): Promise<void>;
}

/** Makes the link; if anything fails, nothing is left behind. */
export async function openSwitchPath(
  link: Link,
  { apart, seed, onPostcard }: SwitchPathOptions,
): Promise<SwitchPath> {
  const { downlink, uplink } = await switchRates(link.rate);
  const unique = process.pid % 8192;
  const namespace = namespaceName();
  return closeTogether(async (onClose) => {
    ip(undefined, 'netns', 'add', namespace);
    onClose(() => ip(undefined, 'netns', 'del', namespace));
    ip(namespace, 'link', 'set', 'lo', 'up');
    const collector = await startCollector({
      port: 0,
      onPostcard: (postcard) => {
        if (postcard.egressPort === PATH_PORTS.inside) onPostcard(postcard);
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
      [apart]: namespace,
      // Of 10.128.0.0/9, eight addresses for each process.
      network: `10.${128 + (unique >> 8)}.${unique & 255}.0`,
      bottleneck: { ...downlink.settings, ...both },
      uplink: { ...uplink.settings, ...both },
      collectorPort: collector.port,
      seed,
    });
    onClose(() => path.stop());
    return {
      path,
      namespace,
      mean_mbps: downlink.mean_mbps,
      dropped: async () =>
        (await path.status()).ports.find(({ port }) => port === PATH_PORTS.inside)?.dropped ?? 0,
      lost: () => collector.stats().lost,
    };
  });
}
