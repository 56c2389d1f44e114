import { rowName } from '../../../../../emulation/studies/buffer-video/exhibit-numbers.ts';
import {
  bufferMs,
  METRICS,
  sites,
  TABLE_5_1,
  type TableMetric,
} from '../../../../../emulation/studies/buffer-video/sites.ts';
import type { Numbers } from '../../../../../emulation/studies/paper/claims/value.ts';
import { signed } from '../neighborhood/sentence.ts';
import log from '../../../../results/log/buffer-video.json' with { type: 'json' };

/** A router's port, and the buffer of each of its virtual output queues. */
export interface Port {
  readonly gbps: number;
  readonly buffer_mb: number;
  /** The number of queues that have packets at the same time. */
  readonly busyQueues: number;
}

/** A row of the study's table, with its buffers in MB at the port's rate. */
export interface MeasuredChange {
  readonly queues: number;
  readonly a_mb: number;
  readonly b_mb: number;
  /** The change from B to A, %, with its 99% interval if known. */
  readonly change_pct: Readonly<Record<TableMetric, Numbers | null>>;
}

/** Buffers count as equal if their drain times differ by at most this factor. */
const SAME = 1.1;

/**
 * Returns the time to drain one queue alone, and the maximum wait of a packet while the port serves the other queues in
 * turn.
 */
export function queueDelays({ gbps, buffer_mb, busyQueues }: Port): { alone_ms: number; longest_ms: number } {
  const alone_ms = (buffer_mb * 8) / gbps;
  return { alone_ms, longest_ms: alone_ms * busyQueues };
}

/**
 * Returns the rows of the study in which a stack had this buffer, compared by drain time. If there are none, returns
 * the rows with the next smaller and next larger buffers. Does not interpolate.
 */
export function measuredNear(port: Port): { readonly isMeasured: boolean; readonly rows: MeasuredChange[] } {
  const { alone_ms } = queueDelays(port);
  const times = [...new Set(TABLE_5_1.flatMap(({ a_mb, b_mb }) => [bufferMs(a_mb), bufferMs(b_mb)]))];
  const same = times.filter((time) => Math.max(time / alone_ms, alone_ms / time) < SAME);
  const below = Math.max(...times.filter((time) => time < alone_ms));
  const above = Math.min(...times.filter((time) => time > alone_ms));
  const shown = same.length > 0 ? same : [below, above];
  const toPort = (mb: number): number => (bufferMs(mb) * port.gbps) / 8;
  const rows = TABLE_5_1.filter(
    ({ a_mb, b_mb }) => shown.includes(bufferMs(a_mb)) || shown.includes(bufferMs(b_mb)),
  ).map((row) => ({
    ...{ queues: sites[row.site].queues, a_mb: toPort(row.a_mb), b_mb: toPort(row.b_mb) },
    change_pct: Object.fromEntries(
      METRICS.map((metric) => [metric, readNumbers(rowName(row, metric))]),
    ) as Record<TableMetric, Numbers | null>,
  }));
  return { isMeasured: same.length > 0, rows };
}

function readNumbers(name: string): Numbers | null {
  const value = (log as Readonly<Record<string, number | readonly number[]>>)[name];
  if (value === undefined || typeof value === 'number') return value ?? null;
  const [point = NaN, low = NaN, high = NaN] = value;
  return [point, low, high];
}

/** Formats a change with its sign and its interval, or the reason why there is no interval. */
export function changeWords(change: Numbers | null): { readonly change: string; readonly range: string } {
  if (change === null) return { change: '', range: '' };
  if (typeof change === 'number') return { change: signed(change, 1), range: 'one hour' };
  const [point, low, high] = change;
  return { change: signed(point, 1), range: `${signed(low, 1)} to ${signed(high, 1)}` };
}

/** Whether the whole interval is on one side of 0. */
export const isCertain = (change: Numbers | null): boolean =>
  change !== null && typeof change !== 'number' && change[1] * change[2] > 0;
