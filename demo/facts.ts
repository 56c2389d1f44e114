/** What the server of the page knows and the page does not; `/demo.json`. */
export interface DemoFacts {
  readonly film: {
    readonly title: string;
    readonly credit: string | undefined;
    readonly license: string | undefined;
  };
  /** Why this machine cannot pace, or null. */
  cannotPace: string | null;
  readonly congestionControls: readonly string[];
  /** Null without `--bottleneck`. */
  readonly bottleneck: BottleneckFacts | null;
}

/** The link between the page and the edge. */
export interface BottleneckFacts {
  readonly mbps: number;
  readonly rtt_ms: number;
  readonly queue_bytes: number;
  /** How long a packet waits that finds the queue full. */
  readonly full_ms: number;
  /** What the neighbor fetches each time. */
  readonly response_bytes: number;
  /** The buffer level up to which players download: high, so that they download during the whole of a turn. */
  readonly buffer_s: number;
}
