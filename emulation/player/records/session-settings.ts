import type { AttachOptions } from '../../../src/index.ts';
import type { TunedArm } from '../arms/tuned.ts';
import type { LabEdgeName } from '../../network/edges/index.ts';
import type { Link } from '../../network/links/link.ts';
import type { ViewersName } from './viewers.ts';
import type { Settings } from '../../harness/runs/study.ts';

/** Settings of an experiment of browser sessions; each lasts `seconds` from the request for playback. */
export interface SessionSettings extends Settings {
  /** The arms, the control first. */
  readonly arms: readonly string[];
  /** Those of the arms that are not in the lab's list, but came from a file of constants. */
  readonly tuned?: readonly TunedArm[];
  readonly link: Link;
  /** The kind of bottleneck (`--link`); mahimahi's mm-link when not given. */
  readonly switch?: 'mahimahi' | 'p4';
  /** The edge that serves the film (`--edge`); node when not given. */
  readonly edge?: LabEdgeName;
  /** What plays the film (`--backend`); Chromium when not given. */
  readonly viewers?: ViewersName;
  /** The server's congestion control; reno when not given, as in Sammy §6. */
  readonly congestionControl?: string;
  /** The name of the neighbor on the link; spelled as manifests have it. */
  readonly neighbour?: string;
  /** The buffer level up to which dash.js downloads, at any rung, s; its own 30 s when not given. */
  readonly buffer_s?: number;
  /** Every arm runs under each of these conditions; arms are compared within a condition. */
  readonly conditions?: readonly Condition[];
  /** Whether an arm's runs are paired with the control's runs of the same condition, and resampled by condition. */
  readonly paired?: boolean;
}

export interface Condition {
  /** The name in folder names, after the arm: `sammy@40mbps`. Letters, digits, `-`, `.`. */
  readonly name: string;
  readonly link?: Link;
  /** The condition that this one is compared with, where there is one arm; the first when not given. */
  readonly against?: string;
  /** Conditions of one cluster, such as places in one trace, are not independent: they count as one pair, by their mean. */
  readonly cluster?: string;
  /** The arms that run under it; all when not given. */
  readonly arms?: readonly string[];
  /** The plug-in's options in addition to the arm's. */
  readonly sammy?: Omit<AttachOptions, 'sidecar' | 'storage'>;
  /** The buffer level up to which dash.js downloads, at any rung, s; the experiment's when not given. */
  readonly buffer_s?: number;
  /** The least number of packets that the kernel sends at once, on every connection of the machine. */
  readonly burst_packets?: number;
  /** Every run remembers an earlier session with this throughput, kbit/s, whatever the link. */
  readonly remembered_kbps?: number;
  /** Every run remembers what the one before it measured. The first remembers this throughput, or nothing. */
  readonly history?: { readonly begins_kbps: number | null };
}

/** Repetitions of the film, to nine minutes: for films of ten minutes and more, dash.js keeps twice the buffer. */
export const FILM_TIMES = 9;
