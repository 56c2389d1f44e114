import type { Appetite } from './bottleneck/appetite.ts';

/** Facts that only the page's server knows, served as `/demo.json`. */
export interface DemoFacts {
  readonly film: {
    readonly title: string;
    readonly credit: string | undefined;
    readonly license: string | undefined;
  };
  /** The reason why this machine cannot pace, or null. */
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
  /** The queueing delay of a full queue. */
  readonly full_ms: number;
  /** The length of a player's turn. */
  readonly turn_s: number;
  /** The neighbor's appetite until the visitor chooses another. */
  readonly appetite: Appetite;
  /** The size of each response to the neighbor. */
  readonly response_bytes: number;
  /** The buffer level up to which players download. It is high, so that they download during the whole turn. */
  readonly buffer_s: number;
}
