/**
 * The routers and servers of a site (Neighbor §5.3.1, §5.5). Values that the thesis does not give are this project's
 * choice.
 */
export interface Site {
  /**
   * Virtual output queues of a router's port: two and eighteen for sites 1 and 2, as in the thesis; four for site 3 is
   * this project's choice.
   */
  readonly queues: number;
  /** The number of queues for catalog servers, which are the last ones; the other queues are for offload servers. */
  readonly catalogQueues: number;
  /** The share of sessions whose title is only on catalog servers. */
  readonly catalogShare: number;
  /**
   * The range of the idle path's RTT, which is uniformly distributed, ms. Offload servers are closer to the viewers.
   */
  readonly rtt_ms: Readonly<Record<Server, readonly [least: number, most: number]>>;
}

const SERVERS = ['offload', 'catalog'] as const;
export type Server = (typeof SERVERS)[number];

const RTT_MS = { offload: [10, 40], catalog: [20, 80] } as const;

export const sites = {
  'site-1': { queues: 2, catalogQueues: 1, catalogShare: 0.3, rtt_ms: RTT_MS },
  'site-2': { queues: 18, catalogQueues: 6, catalogShare: 0.3, rtt_ms: RTT_MS },
  'site-3': { queues: 4, catalogQueues: 1, catalogShare: 0.2, rtt_ms: RTT_MS },
} as const satisfies Record<string, Site>;
export type SiteName = keyof typeof sites;
export const SITE_NAMES = Object.keys(sites) as SiteName[];

/** The metrics of Table 5.1, in the table's order. */
export const METRICS = ['rebuffers', 'low_quality', 'play_delay', 'min_rtt', 'retransmits'] as const;
export type TableMetric = (typeof METRICS)[number];

/**
 * A row of Table 5.1: the buffers of the stacks A and B, in MB at 100 Gbit/s, and the difference between the metrics of
 * A and B, %.
 */
export interface TableRow {
  readonly site: SiteName;
  readonly a_mb: number;
  readonly b_mb: number;
  /** The number of congested hours in the thesis. */
  readonly hours: number;
  readonly paper_pct: Readonly<Record<TableMetric, number>>;
}

const row = (
  site: SiteName,
  [a_mb, b_mb]: readonly [number, number],
  hours: number,
  [rebuffers, low_quality, play_delay, min_rtt, retransmits]: readonly [
    number,
    number,
    number,
    number,
    number,
  ],
): TableRow => ({
  ...{ site, a_mb, b_mb, hours },
  paper_pct: { rebuffers, low_quality, play_delay, min_rtt, retransmits },
});

export const TABLE_5_1: readonly TableRow[] = [
  row('site-1', [50, 500], 46, [46.3, 5.7, -5.9, -10.9, 85.2]),
  row('site-1', [250, 500], 30, [5.5, -1.6, -3.6, 9.6, 17.1]),
  row('site-1', [750, 500], 13, [10.6, 7.2, 7.8, -19.2, -1.6]),
  row('site-1', [1000, 500], 15, [4.9, 9.6, 9.5, -16.4, -10.4]),
  row('site-2', [5, 50], 14, [0.5, -2.1, -5.7, -13.5, 51.1]),
  row('site-2', [12, 50], 22, [33.9, -4, -6, -19.1, 68.7]),
  row('site-2', [25, 500], 90, [-15.6, -5.3, -13.5, -34.8, 130.6]),
  row('site-3', [50, 500], 34, [-22.1, -7, -14.8, -5.1, 134.8]),
];

/** The time that a port of 100 Gbit/s needs to drain a full buffer, ms: 40 ms for 500 MB. */
export const bufferMs = (mb: number): number => (mb * 8) / 100;

/** The size of a buffer in packets that take `packet_ms` each. */
export const bufferPackets = (mb: number, packet_ms: number): number =>
  Math.max(1, Math.floor(bufferMs(mb) / packet_ms));

/** One of a site's two stacks in an hour: its half of the sessions, which a hash assigns, and its buffers. */
export interface Stack {
  readonly name: 'A' | 'B';
  readonly buffer_mb: number;
}

/** Whether the buffers of a row differ by a factor of ten or more. */
export const isTenfold = ({ a_mb, b_mb }: Pick<TableRow, 'a_mb' | 'b_mb'>): boolean => b_mb >= 10 * a_mb;

/**
 * The stacks of a site. B has the buffer to which the table compares the others. A has each of the other buffers, and
 * also the buffer of B, for the A/A comparison. With `quick`, only the stacks for rows whose buffers differ by a factor
 * of ten or more.
 */
export function listStacks(site: SiteName, quick = false): Stack[] {
  const rows = TABLE_5_1.filter((each) => each.site === site && (!quick || isTenfold(each)));
  const b = [...new Set(rows.map(({ b_mb }) => b_mb))];
  const a = [...new Set([...rows.map(({ a_mb }) => a_mb), ...(quick ? [] : b)])];
  const stack = (name: Stack['name']) => (buffer_mb: number) => ({ name, buffer_mb });
  return [...a.map(stack('A')), ...b.map(stack('B'))];
}
