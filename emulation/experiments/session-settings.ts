import type { AttachOptions } from '../../src/index.ts';
import type { LabEdgeName } from '../edges/index.ts';
import type { Link } from '../links/link.ts';
import type { Settings } from '../runs/experiment.ts';

/** What an experiment of browser sessions runs, each for its seconds from the request for playback on. */
export interface SessionSettings extends Settings {
  /** The first is the control. */
  readonly arms: readonly string[];
  readonly link: Link;
  /** What the bottleneck is, by `--switch`; mahimahi's mm-link when not given. */
  readonly switch?: 'mahimahi' | 'p4';
  /** What serves the film, by `--edge`; node when not given. */
  readonly edge?: LabEdgeName;
  /** The server's, reno as in Sammy §6. */
  readonly congestionControl?: string;
  /** What else is on the link, by name. */
  readonly neighbour?: string;
  /** What dash.js fills its buffer up to, at any rung; its own 30 s when not given. */
  readonly buffer_s?: number;
  /** Every arm runs under each of these; the comparison is within one. */
  readonly conditions?: readonly Condition[];
  /** Runs of an arm are paired with the control's of the same condition, and resampled by condition. */
  readonly paired?: boolean;
}

export interface Condition {
  /** In folder names, after the arm: `sammy@40mbps`. Letters, digits, `-`, `.`. */
  readonly name: string;
  readonly link?: Link;
  /** The condition that this one is compared with, where there is one arm; the first when not given. */
  readonly against?: string;
  /** Only these arms; all when not given. */
  readonly arms?: readonly string[];
  /** On top of the arm's own. */
  readonly sammy?: Omit<AttachOptions, 'sidecar' | 'storage'>;
  /** What dash.js fills its buffer up to, at any rung; the experiment's when not given. */
  readonly buffer_s?: number;
  /** How many packets, at least, the kernel sends at once, on every connection of the machine. */
  readonly burst_packets?: number;
  /** Every run remembers a session of just before with this throughput, kbit/s, whatever the link. */
  readonly remembered_kbps?: number;
  /** Every run remembers what the one before it measured; the first, this throughput or nothing. */
  readonly history?: { readonly begins_kbps: number | null };
}
