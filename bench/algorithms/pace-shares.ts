import type { Capacity } from '../../emulation/network/virtual/rounds/capacity.ts';
import type { SimulatedResult } from '../../emulation/player/model/simulated-session.ts';
import type { CompletedDecision } from '../../src/decision.ts';

/** The limit on the speed of a session's video downloads. */
export type Limit = 'unpaced' | 'network' | 'pace';

/** Shares of the download time, percent, and how fast what came in it was, Mbit/s. */
export type PaceShares = Readonly<Record<Limit, { readonly pct: number; readonly mbps: number }>>;

/** No pace was asked for; or one was, and the network was slower; or the pace set the speed. */
const findLimit = ({ requested_kbps, pace_limited }: CompletedDecision): Limit =>
  requested_kbps === null ? 'unpaced' : pace_limited ? 'pace' : 'network';

/** Chunk throughput is all bytes over all download time, so it is the mean of these rates, weighted by the shares. */
export function paceShares({ decisions }: SimulatedResult): PaceShares {
  const video = decisions.filter(({ media_type }) => media_type === 'video');
  const totalTime = (list: readonly CompletedDecision[]) =>
    list.reduce((sum, { download_ms }) => sum + download_ms, 0);
  const whole_ms = totalTime(video);
  const of = (limit: Limit) => {
    const downloads = video.filter((download) => findLimit(download) === limit);
    const time_ms = totalTime(downloads);
    const bits = downloads.reduce((sum, { size_bytes }) => sum + 8 * size_bytes, 0);
    return { pct: (100 * time_ms) / whole_ms, mbps: bits / 1000 / time_ms };
  };
  return { unpaced: of('unpaced'), network: of('network'), pace: of('pace') };
}

/**
 * The mean rate at which a link carries a pace, Mbit/s. This is a lower bound for the chunk throughput if every request has
 * this pace and the times of requests are typical.
 */
export function leastAtPace(capacity: Capacity, pace_mbps: number, seconds: number): number {
  const step_ms = 100;
  let sum_bytes = 0;
  for (let at_ms = 0; at_ms < seconds * 1000; at_ms += step_ms)
    sum_bytes += Math.min(capacity.bytesBetween(at_ms, at_ms + step_ms), (pace_mbps * 1000 * step_ms) / 8);
  return (8 * sum_bytes) / 1e6 / seconds;
}
