import { defineRun } from '../../harness/runs/run-program.ts';

/** The description of a run of one flow, with or without postcards, as plain data. */
export interface PostcardSpec {
  readonly scheme: string;
  /** The kernel's name of the congestion control. */
  readonly control: string;
  readonly isReported: boolean;
  readonly seconds: number;
  readonly from_s: number;
  /** The folder for the run's files. */
  readonly folder: string;
}

/** The format of `result.json`. All values were measured by the kernel, without postcards. */
export interface PostcardResult {
  readonly scheme: string;
  readonly isReported: boolean;
  /** The rate of acknowledged bytes. */
  readonly throughput_mbps: number;
  /** The 95th percentile of the smoothed RTT at every ACK. */
  readonly srtt_p95_ms: number;
  readonly lateness_p99_ms: number;
}

export const postcardRun = defineRun<PostcardSpec>(new URL('process.ts', import.meta.url));
