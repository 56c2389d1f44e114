import type { Arm } from '../../arms.ts';
import type { NetworkFigures } from './comparison.ts';
import type { TurnsSummary } from './summarize-turns.ts';

type Quality = Pick<TurnsSummary, 'playing_chunk_throughput_kbps' | 'mean_bitrate_kbps' | 'rebuffer_count'>;

export type Qualities = Readonly<Record<Arm, Quality | null>>;
export type Networks = Readonly<Record<Arm, NetworkFigures>>;

/** Relative changes below this value count as none. */
const NOTABLE = 0.03;

export interface Verdict {
  /** A short summary of Sammy's effect. */
  readonly headline: string;
  /** The figures that support the headline. */
  readonly detail: string;
}

const isLess = (value: number, than: number): boolean => value < than * (1 - NOTABLE);
const pctLess = (value: number, than: number): string => `${Math.round((1 - value / than) * 100)}%`;
const mbps = (rate_kbps: number): string => {
  const value = rate_kbps / 1000;
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} Mbit/s`;
};

/** Compares the video quality, as the end of a sentence about a neighbor that is or is not better off. */
function qualityText({ stock, sammy }: Qualities, isBetterOff = true): string {
  const [stock_kbps, sammy_kbps] = [stock?.mean_bitrate_kbps, sammy?.mean_bitrate_kbps];
  if (!stock_kbps || !sammy_kbps) return '';
  if ((sammy?.rebuffer_count ?? 0) > (stock?.rebuffer_count ?? 0))
    return isBetterOff ? ', but with more stalls' : ', with more stalls';
  const both = `(${mbps(sammy_kbps)} instead of ${mbps(stock_kbps)})`;
  if (isLess(sammy_kbps, stock_kbps)) return `, at a lower video bitrate ${both}`;
  if (isBetterOff) return ', with no loss of video quality';
  return isLess(stock_kbps, sammy_kbps) ? `, and the viewer has a higher video bitrate ${both}` : '';
}

/**
 * The number of paced video segments needed for a comparison. Segments before playback are not paced, and the first
 * paced ones may have started on an idle connection or while the page was loading.
 */
const LEAST_PACED = 3;

/** Whether this number of paced video segments is enough to show the effect of pacing. */
export const isComparable = (pacedSegments: number): boolean => pacedSegments >= LEAST_PACED;

/** Describes how Sammy changes the traffic between player and server. Null until both arms have been measured. */
export function trafficVerdict(qualities: Qualities, pacedSegments: number): Verdict | null {
  if (!isComparable(pacedSegments)) return null;
  const stock = qualities.stock?.playing_chunk_throughput_kbps ?? null;
  const sammy = qualities.sammy?.playing_chunk_throughput_kbps ?? null;
  if (stock === null || sammy === null) return null;
  const detail = `Each video segment arrives at ${mbps(sammy)} with Sammy, at ${mbps(stock)} without.`;
  return isLess(sammy, stock)
    ? {
        headline: `Sammy lowers the download rate of segments by ${pctLess(sammy, stock)}${qualityText(qualities)}.`,
        detail: `${detail} The difference is free for everybody else on the network.`,
      }
    : {
        headline: "No difference: this machine is too busy, or not faster than Sammy's pace.",
        detail,
      };
}

/**
 * Describes how Sammy changes a neighbor's downloads through the same bottleneck. Null until both arms have been
 * measured.
 */
export function neighborVerdict({ stock, sammy }: Networks, qualities: Qualities): Verdict | null {
  const [slow, fast] = [stock.response_ms, sammy.response_ms];
  if (slow === null || fast === null) return null;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const waits =
    stock.queue_p95_ms === null || sammy.queue_p95_ms === null
      ? ''
      : ` In the queue, 95% of packets wait at most ${sammy.queue_p95_ms.toFixed(1)} ms with Sammy, ${stock.queue_p95_ms.toFixed(1)} ms without.`;
  const detail = `Its downloads take ${seconds(fast)} with Sammy, ${seconds(slow)} without.${waits}`;
  if (isLess(fast, slow))
    return {
      headline: `With Sammy, the neighbor waits ${pctLess(fast, slow)} less${qualityText(qualities)}.`,
      detail,
    };
  if (isLess(slow, fast))
    return {
      headline: `With Sammy, the neighbor waits ${Math.round((fast / slow - 1) * 100)}% longer${qualityText(qualities, false)}.`,
      detail,
    };
  return { headline: 'No difference for the neighbor so far.', detail };
}
