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
  /** The arms that are not in the lab's list, but come from a file of constants. */
  readonly tuned?: readonly TunedArm[];
  readonly link: Link;
  /** The kind of bottleneck (`--link`); mahimahi's mm-link if not given. */
  readonly switch?: 'mahimahi' | 'p4';
  /** The edge that serves the video (`--edge`); node if not given. */
  readonly edge?: LabEdgeName;
  /** The player (`--backend`); Chromium if not given. */
  readonly viewers?: ViewersName;
  /** The server's congestion control; reno if not given, as in Sammy §6. */
  readonly congestionControl?: string;
  /** The name of the neighbor on the link; spelled as in manifests. */
  readonly neighbor?: string;
  /** The buffer level up to which dash.js downloads, at any rung, s; its own 30 s if not given. */
  readonly buffer_s?: number;
  /** Every arm runs under each of these conditions; arms are compared within a condition. */
  readonly conditions?: readonly Condition[];
  /** Whether an arm's runs are paired with the control's runs of the same condition, and resampled by condition. */
  readonly paired?: boolean;
}

export interface Condition {
  /** The name in folder names, after the arm: `sammy-paper@40mbps`. Letters, digits, `-`, `.`. */
  readonly name: string;
  readonly link?: Link;
  /** The neighbor on the link; the study's if not given. */
  readonly neighbor?: string;
  /** The condition that this one is compared with in a study with one arm; the first if not given. */
  readonly against?: string;
  /** Conditions of one cluster, such as positions in one trace, are not independent: they count as one pair, by their mean. */
  readonly cluster?: string;
  /** The arms that run under this condition; all if not given. */
  readonly arms?: readonly string[];
  /** The plug-in's options in addition to the arm's. */
  readonly sammy?: Omit<AttachOptions, 'sidecar' | 'storage'>;
  /** The buffer level up to which dash.js downloads, at any rung, s; the experiment's if not given. */
  readonly buffer_s?: number;
  /** The minimum number of packets that the kernel sends at once, on every connection of the machine. */
  readonly burst_packets?: number;
  /** Every run remembers an earlier session with this throughput, kbit/s, whatever the link. */
  readonly remembered_kbps?: number;
  /** Every run remembers the throughput of the previous run. The first one remembers this throughput, or nothing. */
  readonly history?: { readonly begins_kbps: number | null };
}

/** Repetitions of the video, to nine minutes, because dash.js keeps twice the buffer for videos of ten minutes and more. */
export const FILM_TIMES = 9;
