import { startCollector } from '../../../p4/collector/collector.ts';
import type { Postcard } from '../../../p4/collector/postcard.ts';
import { ip } from '../../../system/namespaces/ip.ts';
import { createNamespace } from '../../../system/namespaces/namespaces.ts';
import { PATH_PORTS, startPath, type Path } from '../../../p4/switch/live/path.ts';
import { closeTogether } from '../../../system/close-together.ts';
import type { Link } from './link.ts';
import { switchRates } from './switch-rate.ts';

interface SwitchPathOptions {
  /** The ends with a new network namespace; the remaining end is in this process's namespace. */
  readonly apart: 'inside' | 'outside' | 'both';
  /** The seed of loss, jitter and Poisson times, which are drawn in the order of a direction's packets. */
  readonly seed: number;
  /**
   * Receives a postcard for every packet that has left the downlink's queue, in order of departure. Without it, the
   * switch sends none.
   */
  readonly onPostcard?: (postcard: Postcard) => void;
}

/** A link in the P4 switch that connects two network namespaces. */
export interface SwitchPath {
  readonly path: Path;
  /** The new network namespace. If both ends have a new namespace, this is the namespace of the inside (the client). */
  readonly namespace: string;
  /** The new network namespace of the outside (the server), if both ends have a new namespace. */
  readonly outsideNamespace: string | undefined;
  /** The mean rate of the downlink. */
  readonly mean_mbps: number;
  /** The number of packets since the start that found the downlink's queue full, or above its drop threshold. */
  dropped(): Promise<number>;
  /** The number of postcards that were sent but did not arrive. */
  lost(): number;
  /** On a link with weights, puts packets from this TCP port into the video's queue. */
  setVideoPort(port: number): Promise<void>;
  close(): Promise<void>;
}

const ASK_FOR_ECN = ['sh', '-c', 'echo 1 >/proc/sys/net/ipv4/tcp_ecn'];

/** Packets are in queue 0 unless an entry of the switch's table chooses another queue. */
const VIDEO_QUEUE = 1;
const queueWeights = ([film, others]: NonNullable<Link['weights']>): number[] => [others, film];

/** Creates the link. If a step fails, removes everything that was created. */
export async function openSwitchPath(
  link: Link,
  { apart, seed, onPostcard }: SwitchPathOptions,
): Promise<SwitchPath> {
  const { downlink, uplink } = await switchRates(link.rate);
  const unique = process.pid % 8192;
  const namespace = createNamespace('inside');
  const outsideNamespace = apart === 'both' ? createNamespace('outside') : undefined;
  return closeTogether(async (onClose) => {
    for (const name of [namespace, outsideNamespace]) {
      if (name === undefined) continue;
      ip(undefined, 'netns', 'add', name);
      onClose(() => ip(undefined, 'netns', 'del', name));
      ip(name, 'link', 'set', 'lo', 'up');
    }
    // A connection uses ECN if its client requests it; a server's kernel agrees by default.
    if (link.threshold?.action === 'mark') ip(undefined, 'netns', 'exec', namespace, ...ASK_FOR_ECN);
    const collector = onPostcard && (await collect(onPostcard));
    if (collector) onClose(() => collector.close());
    const { threshold, weights } = link;
    const delay_ns = Math.round((link.rtt_ms * 1e6) / 2);
    const both = {
      depth_bytes: link.queue_bytes,
      delay_ns,
      jitter_ns: Math.min(delay_ns, Math.round((link.jitter_ms ?? 0) * 1e6)),
      loss: link.loss ?? 0,
    };
    const path = await startPath({
      name: `ds${unique}`,
      ...(outsideNamespace === undefined
        ? { [apart]: namespace }
        : { inside: namespace, outside: outsideNamespace }),
      // Eight addresses in 10.128.0.0/9 for each process.
      network: `10.${128 + (unique >> 8)}.${unique & 255}.0`,
      bottleneck: {
        ...downlink.settings,
        ...both,
        ...policerSettings(link),
        ...(weights && { weights: queueWeights(weights) }),
      },
      uplink: { ...uplink.settings, ...both, gather_ns: Math.round((link.gather_ms ?? 0) * 1e6) },
      ...(threshold && { threshold, uplinkThreshold: threshold }),
      ...(collector && { collectorPort: collector.port }),
      seed,
    });
    onClose(() => path.stop());
    return {
      path,
      namespace,
      outsideNamespace,
      mean_mbps: downlink.mean_mbps,
      dropped: async () => {
        const queue = (await path.status()).ports.find(({ port }) => port === PATH_PORTS.inside);
        return (queue?.dropped ?? 0) + (await path.device.counter('dropped', PATH_PORTS.inside)).packets;
      },
      setVideoPort: async (port) => {
        if (weights) await path.choose({ source_port: port, queue: VIDEO_QUEUE });
      },
      lost: () => collector?.stats().lost ?? 0,
    };
  });
}

const policerSettings = ({ policer }: Link) =>
  policer && { police_bit_s: policer.mbps * 1e6, police_burst_bytes: policer.burst_bytes };

const collect = (onPostcard: (postcard: Postcard) => void) =>
  startCollector({
    port: 0,
    onPostcard: (postcard) => {
      if (postcard.egressPort === PATH_PORTS.inside) onPostcard(postcard);
    },
  });
