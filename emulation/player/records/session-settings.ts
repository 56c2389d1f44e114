import type { AttachOptions } from '../../../src/index.ts';
import type { TunedArm } from '../arms/tuned.ts';
import type { LabEdgeName } from '../../network/edges/index.ts';
import type { Link } from '../../network/links/link.ts';
import type { ViewersName } from './viewers.ts';
import type { Settings } from '../../harness/runs/study.ts';

/** Settings of an experiment of sessions. Each session lasts `seconds` from the request for playback. */
export interface SessionSettings extends Settings {
  /** The arms; the first is the control. */
  readonly arms: readonly string[];
  /** The definitions of arms that are not in the lab's list, but come from a file of constants. */
  readonly tuned?: readonly TunedArm[];
  readonly link: Link;
  /** The bottleneck's emulator (`--link`); mahimahi's mm-link if not given. */
  readonly switch?: 'mahimahi' | 'p4';
  /** The edge that serves the video (`--edge`); node if not given. */
  readonly edge?: LabEdgeName;
  /** The player (`--backend`); Chromium if not given. */
  readonly viewers?: ViewersName;
  /** The server's congestion control; reno if not given, as in Sammy §6. */
  readonly congestionControl?: string;
  /** The name of the neighbor on the link, as in manifests. */
  readonly neighbor?: string;
  /** The buffer level up to which dash.js downloads, at any rung, s; dash.js's default of 30 s if not given. */
  readonly buffer_s?: number;
  /** Every arm runs under each of these conditions; arms are compared within a condition. */
  readonly conditions?: readonly Condition[];
  /** Whether an arm's runs are paired with the control's runs of the same condition, and resampled by condition. */
  readonly paired?: boolean;
}

export interface Condition {
  /**
   * The condition's name, which follows the name of the arm in folder names: `sammy-paper@40mbps`. Letters, digits,
   * `-`, `.`.
   */
  readonly name: string;
  readonly link?: Link;
  /** The neighbor on the link; the neighbor of the study if not given. */
  readonly neighbor?: string;
  /** The condition that this one is compared with in a study with one arm; the first if not given. */
  readonly against?: string;
  /**
   * The name of the condition's cluster. Conditions of one cluster, such as positions in one trace, are not
   * independent, so their mean counts as a single pair.
   */
  readonly cluster?: string;
  /** The arms that run under this condition; all if not given. */
  readonly arms?: readonly string[];
  /** Options of the plug-in, in addition to the options of the arm. */
  readonly sammy?: Omit<AttachOptions, 'sidecar' | 'storage'>;
  /** The buffer level up to which dash.js downloads, at any rung, s; the value of the experiment if not given. */
  readonly buffer_s?: number;
  /** The minimum number of packets that the kernel sends at once, on every connection of the machine. */
  readonly burst_packets?: number;
  /** Every run remembers an earlier session with this throughput, kbit/s, regardless of the link. */
  readonly remembered_kbps?: number;
  /** Every run remembers the throughput of the previous run. The first run remembers `begins_kbps`, or nothing. */
  readonly history?: { readonly begins_kbps: number | null };
}

/**
 * The number of repetitions of the video, for a length of nine minutes. From ten minutes on, dash.js would double its
 * buffer.
 */
export const FILM_TIMES = 9;
