import { readFileSync } from 'node:fs';

/** The means of six sessions of one arm, next to a neighbor that downloads 3 MB repeatedly. */
export interface Cell {
  readonly arm: string;
  readonly rate_mbps: number;
  readonly queue_bdp: number;
  readonly http_response_ms: number;
  readonly mean_ssim_db: number;
  /** Time stalled, % of the session. */
  readonly rebuffer_points: number;
}

export interface SlowLinks {
  readonly command: string;
  readonly commit: string;
  readonly rows: readonly Cell[];
}

export declare const data: SlowLinks;

const FILE = '../../../results/log/slow-links.json';

/** The data are read when the site is built. */
export default {
  watch: [FILE],
  load: (): SlowLinks => {
    const { command, commit, rows } = JSON.parse(
      readFileSync(new URL(FILE, import.meta.url), 'utf8'),
    ) as SlowLinks;
    return { command, commit, rows };
  },
};
