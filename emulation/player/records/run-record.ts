import type { SessionSummary } from '../../../src/index.ts';
import type { LabEdgeName } from '../../network/edges/index.ts';
import type { Calibration } from '../../network/links/calibrate.ts';
import type { MachineRecord } from '../../network/measure/machine/machine-watch.ts';
import type { Measured } from './metrics.ts';
import type { ViewersName } from './viewers.ts';

/**
 * `runs/<cell>/<k>/session.json`: one valid run. A cell is an arm, or `arm@condition`. Beside it stand
 * - `decisions.jsonl`: one completed decision a line;
 * - `buffer.csv`: `t_s,buffer_s` every 250 ms;
 * - `playback.csv`: `t_s,event,buffer_s` of each `playing`, `waiting`, `seeking` and `pause` of the media element;
 * - `link.csv`: `t_s,departed_bytes,dropped_packets,queue_delay_ms,queue_bytes` for every 100 ms of the downlink (the
 *   delay a mean over the packets that left, empty when none did);
 * - `tcp.csv`: `t_s,flow,srtt_ms,cwnd_packets,ssthresh_packets`, at most one row per flow and 20 ms;
 * - `queue.csv`, with the P4 switch: `t_s,depth_packets,depth_bytes`, the deepest queue that a packet of 20 ms met;
 * - `neighbour.csv`: the neighbor's own, with `t_s` first;
 * - `unpaced.csv`, with `run --forks`: `sequence,unpaced_ms`, what a paced request of the picture would have taken if
 *   it had not been paced;
 * - `history.json`: `sessions_kbps`, what this session and those before it measured, for the viewer's next one.
 * Every `t_s` counts from the request for playback.
 */
export interface RunRecord {
  readonly arm: string;
  readonly condition?: string;
  readonly k: number;
  /** The edge that served the film; absent in runs from when there was only node. */
  readonly edge?: LabEdgeName;
  /** What played the film, where it was not Chromium with dash.js. */
  readonly viewers?: ViewersName;
  readonly started: string;
  /** When playback was requested; absent in simulated runs, and in those from before it was recorded. */
  readonly requested?: string;
  readonly seconds: number;
  /** How far mahimahi's trace was when playback was requested; absent with the switch, simulated, and in older runs. */
  readonly trace_at_ms?: number;
  /** The session was simulated in virtual time: the link is exactly as requested, and the machine has no influence. */
  readonly simulated?: true;
  /** Where in the film a simulated session began, s; absent at its beginning. */
  readonly film_from_s?: number;
  readonly calibration: Calibration;
  /** The busy share of all cores' time during the session. */
  readonly machine_busy_pct: number;
  /** The load by its causes, and the waits of threads; absent in runs from before it was recorded. */
  readonly machine?: MachineRecord;
  /** Why the rule of measure/machine/busy-rule.ts excludes this run, which is kept as the last of its attempts. */
  readonly too_busy?: string;
  /** How late the P4 switch let packets go, at the 99th percentile of the session's; absent with mahimahi. */
  readonly switch_lateness_p99_ms?: number;
  /** ACKs that the kernel had no room to record. */
  readonly tcp_records_lost: number;
  /** The plug-in's warnings. */
  readonly warnings: readonly string[];
  readonly summary: SessionSummary;
  readonly metrics: Measured;
}

/** The folder of a cell's runs, and its key in summary.json. */
export const cellName = (arm: string, condition?: string): string =>
  condition === undefined ? arm : `${arm}@${condition}`;
