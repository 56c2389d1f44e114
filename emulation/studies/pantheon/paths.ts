import type { Link } from '../../network/links/link.ts';

/** The predefined paths by name. Half of the RTT applies in each direction, and loss applies in each direction. */
export const paths = {
  /** Two bandwidth-delay products. */
  wired: { rate: { kind: 'constant', mbps: 12 }, rtt_ms: 40, queue_bytes: 120_000 },
  /**
   * A quarter of a bandwidth-delay product: very small buffers are among Pantheon's pathological emulators (§3.5.3).
   */
  shallow: { rate: { kind: 'constant', mbps: 12 }, rtt_ms: 40, queue_bytes: 15_000 },
  /** Ten bandwidth-delay products. */
  deep: { rate: { kind: 'constant', mbps: 8 }, rtt_ms: 30, queue_bytes: 300_000 },
  lossy: { rate: { kind: 'constant', mbps: 12 }, rtt_ms: 60, queue_bytes: 180_000, loss: 0.01 },
  /** Memoryless deliveries, as in Pantheon's emulators of cellular links (§3.5.1). */
  cellular: { rate: { kind: 'poisson', mbps: 8 }, rtt_ms: 60, queue_bytes: 240_000 },
  /** A link of 40 Mbit/s behind a token bucket, as in one of Pantheon's pathological emulators. */
  policed: {
    rate: { kind: 'constant', mbps: 40 },
    rtt_ms: 40,
    queue_bytes: 120_000,
    policer: { mbps: 12, burst_bytes: 60_000 },
  },
  /** ACKs arrive in groups, as in one of Pantheon's pathological emulators. */
  aggregated: {
    rate: { kind: 'constant', mbps: 12 },
    rtt_ms: 40,
    queue_bytes: 120_000,
    gather_ms: 15,
  },
  varying: {
    rate: {
      kind: 'schedule',
      steps: [
        { seconds: 4, mbps: 12 },
        { seconds: 2, mbps: 4 },
        { seconds: 3, mbps: 8 },
      ],
    },
    rtt_ms: 40,
    queue_bytes: 120_000,
  },
} as const satisfies Readonly<Record<string, Link>>;

export type PathName = keyof typeof paths;

/** The path of a quick run. */
export const QUICK_PATH = 'wired' satisfies PathName;
/** The name of the path that the link options describe. */
export const OWN_PATH = 'own';

/** Throws an Error of one line for a path on which nothing can arrive. */
export function checkPath(name: string, { rate, loss = 0, queue_bytes }: Link): void {
  const mbps = rate.kind === 'constant' || rate.kind === 'poisson' ? rate.mbps : undefined;
  if (mbps !== undefined && !(mbps > 0))
    throw new Error(`the path '${name}' has no capacity: its rate is ${mbps} Mbit/s, expected one above 0`);
  if (rate.kind === 'schedule' && rate.steps.every((step) => step.mbps === 0))
    throw new Error(`the path '${name}' has no capacity: every rate of its schedule is 0`);
  if (loss >= 1) throw new Error(`the path '${name}' loses everything`);
  if (queue_bytes < 1514)
    throw new Error(
      `the path '${name}' has a queue of ${queue_bytes} bytes, in which no packet of 1514 fits`,
    );
}
