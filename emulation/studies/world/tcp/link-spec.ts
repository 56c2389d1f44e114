import { defineRun } from '../../../harness/runs/run-program.ts';
import type { LinkRun } from '../link-run.ts';
import type { PlayedHour } from './real-time.ts';

/** The hours of a link to play, as plain data. */
export interface TcpLinkSpec {
  readonly run: LinkRun;
  readonly hours: readonly PlayedHour[];
  /** The real time that an hour of the load curve takes, s. */
  readonly hour_s: number;
  /** The folder for `link.json`. */
  readonly folder: string;
}

export const tcpLinkRun = defineRun<TcpLinkSpec>(new URL('run-tcp-link.ts', import.meta.url));
