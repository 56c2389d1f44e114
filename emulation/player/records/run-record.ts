import type { SessionSummary } from '../../../src/index.ts';
import type { LabEdgeName } from '../../network/edges/index.ts';
import type { Calibration } from '../../network/links/calibrate.ts';
import type { MachineRecord } from '../../network/measure/machine/machine-watch.ts';
import type { Measured } from './metrics.ts';
import type { ViewersName } from './viewers.ts';

/**
 * `runs/<cell>/<k>/session.json`: one valid run. A cell is an arm, or `arm@condition`. The same folder contains
 * - `decisions.jsonl`: one completed decision per line;
 * - `buffer.csv`: `t_s,buffer_s` every 250 ms;
 * - `playback.csv`: `t_s,event,buffer_s` of each `playing`, `waiting`, `seeking` and `pause` of the media element;
 * - `link.csv`: `t_s,departed_bytes,dropped_packets,queue_delay_ms,queue_bytes` for every 100 ms of the downlink (the
 *   delay is the mean of the packets that left, empty if none left);
 * - `tcp.csv`: `t_s,flow,srtt_ms,cwnd_packets,ssthresh_packets`, at most one row per flow and 20 ms;
 * - `queue.csv`, with the P4 switch: `t_s,depth_packets,depth_bytes`, the longest queue that a packet found within 20
 *   ms;
 * - `neighbor.csv`: the neighbor's measurements, with `t_s` first;
 * - `unpaced.csv`, with `run --forks`: `sequence,unpaced_ms`, how long a paced video request would have taken without
 *   its pace;
 * - `history.json`: `sessions_kbps`, the throughputs measured by this and earlier sessions, for the viewer's next
 *   session.
 *
 * Every `t_s` counts from the request for playback.
 */
export interface RunRecord {
  readonly arm: string;
  readonly condition?: string;
  readonly k: number;
  /** The edge that served the video; absent for `node`. */
  readonly edge?: LabEdgeName;
  /** The player, if it was not Chromium with dash.js. */
  readonly viewers?: ViewersName;
  readonly started: string;
  /** When playback was requested; absent in simulated runs. */
  readonly requested?: string;
  readonly seconds: number;
  /** The position in mahimahi's trace when playback was requested; absent with the P4 switch and in simulated runs. */
  readonly trace_at_ms?: number;
  /** Set for a session in virtual time. Its link is exactly as requested, and the machine has no influence. */
  readonly simulated?: true;
  /** The position in the video at which a simulated session began, s; absent for the video's start. */
  readonly film_from_s?: number;
  readonly calibration: Calibration;
  /** The share of all cores' time that was busy during the session. */
  readonly machine_busy_pct: number;
  /** The processor load by cause, and how long threads waited for processors; absent in simulated runs. */
  readonly machine?: MachineRecord;
  /**
   * Why the rule of measure/machine/busy-rule.ts excludes this run. The run is kept, because it was the last attempt.
   */
  readonly too_busy?: string;
  /** The 99th percentile of the P4 switch's lateness in the session; absent with mahimahi. */
  readonly switch_lateness_p99_ms?: number;
  /** ACKs that were not recorded, because the kernel's buffer was full. */
  readonly tcp_records_lost: number;
  /**
   * The name of the network error that ended playback; absent without such an error. The metrics describe the viewer's
   * experience: the buffered content plays, and the rest of the session is a stall.
   */
  readonly player_error?: string;
  /** The plug-in's warnings. */
  readonly warnings: readonly string[];
  readonly summary: SessionSummary;
  readonly metrics: Measured;
}

/** The name of the folder with a cell's runs, and the cell's key in summary.json. */
export const cellName = (arm: string, condition?: string): string =>
  condition === undefined ? arm : `${arm}@${condition}`;
