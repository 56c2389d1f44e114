import type { LinkRow } from '../../../../../emulation/network/measure/link-log.ts';
import type { SimulatedResult } from '../../../../../emulation/player/model/simulated-session.ts';
import type { Block } from '../chart/paths.ts';
import { SECONDS, type NeighborName } from './link-setup.ts';

/** The series of a session to draw. Times are in s since the request for playback. */
export interface Series {
  /** Bitrate of the displayed video, kbit/s. */
  readonly watched: readonly Block[];
  /** Stalls after the start of playback: [from, to]. */
  readonly stalls: readonly (readonly [number, number])[];
  /** Throughput of the video segments in flight, kbit/s. */
  readonly segments: readonly Block[];
  /** Queueing delay of packets, ms, every 100 ms. */
  readonly queue: readonly (readonly [number, number])[];
  /** The neighbor's responses, or its packets' delay, ms. */
  readonly neighbor: readonly Block[];
}

export function makeSeries(
  played: SimulatedResult,
  rows: readonly LinkRow[],
  neighbor: NeighborName,
): Series {
  const { decisions } = played;
  const stretches = playedStretches(played.playback);
  return {
    watched: watchedBlocks(decisions, stretches),
    stalls: stretches.slice(1).map(({ from_s }, index) => [stretches[index]?.to_s ?? from_s, from_s]),
    segments: decisions
      .filter(({ media_type, achieved_kbps }) => media_type === 'video' && achieved_kbps !== null)
      .map(({ at_ms, download_ms, achieved_kbps }) => ({
        from: at_ms / 1000,
        to: (at_ms + download_ms) / 1000,
        height: achieved_kbps ?? 0,
      })),
    queue: rows.map(({ t_s, queue_delay_ms }) => [t_s, queue_delay_ms ?? 0]),
    neighbor: readNeighbor(played.neighbor?.csv ?? [], neighbor),
  };
}

/** An interval of uninterrupted playback: media time at its start, and session times. */
interface Stretch {
  readonly film_s: number;
  readonly from_s: number;
  readonly to_s: number;
}

function playedStretches(events: SimulatedResult['playback']): Stretch[] {
  const stretches: Stretch[] = [];
  let film_s = 0;
  events.forEach(({ t_s, event }, index) => {
    if (event !== 'playing') return;
    const to_s = events[index + 1]?.t_s ?? SECONDS;
    stretches.push({ film_s, from_s: t_s, to_s });
    film_s += to_s - t_s;
  });
  return stretches;
}

/**
 * Returns the displayed bitrates. If a better segment replaced another, the last to arrive counts, as in the session's
 * summary.
 */
function watchedBlocks(decisions: SimulatedResult['decisions'], stretches: readonly Stretch[]): Block[] {
  const kept = new Map<number, (typeof decisions)[number]>();
  for (const decision of decisions)
    if (decision.media_type === 'video' && decision.outcome === 'completed')
      kept.set(decision.segment_start_s, decision);
  return [...kept.values()].flatMap(({ segment_start_s: start, segment_duration_s, bitrate_kbps }) =>
    stretches.flatMap(({ film_s, from_s, to_s }) => {
      const from = Math.max(from_s, from_s + start - film_s);
      const to = Math.min(to_s, from_s + start + segment_duration_s - film_s);
      return to > from ? [{ from, to, height: bitrate_kbps }] : [];
    }),
  );
}

const UDP_ROW_S = 0.1;

/** Reads the neighbor's table, whose first row is the header. */
function readNeighbor(
  [header = [], ...rows]: readonly (readonly (string | number)[])[],
  name: NeighborName,
): Block[] {
  const column = header.indexOf(name === 'http' ? 'response_ms' : 'owd_mean_ms');
  return rows.flatMap((row) => {
    const [from, height] = [Number(row[0]), row[column]];
    if (typeof height !== 'number') return [];
    return [{ from, to: from + (name === 'http' ? height / 1000 : UDP_ROW_S), height }];
  });
}
