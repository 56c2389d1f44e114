import type { AbrAlgorithm, AbrState } from '../../../../../src/abr/abr.ts';
import { bba } from '../../../../../src/abr/bba.ts';
import { bola } from '../../../../../src/abr/bola.ts';
import { HYB } from '../../../../../src/abr/hyb.ts';
import type { Ladder, Rung } from '../../../../../src/film/ladder.ts';
import { sizesFromSidecar } from '../../../../../src/film/sidecar.ts';
import { createDownload } from '../../../../../src/testing/download.ts';
import { kbps, seconds } from '../../../../../src/units.ts';
import { readLadders } from '../../../../../emulation/player/model/player/read-ladders.ts';
import { bigBuckBunny } from '../../../../../media/films/big-buck-bunny.ts';

export interface PlayerSituation {
  readonly algorithm: AlgorithmName;
  readonly buffer_s: number;
  readonly throughput_kbps: number;
}

export const ALGORITHMS = {
  hyb: HYB,
  bba: bba(),
  bola: bola(),
} as const satisfies Record<string, AbrAlgorithm>;
export type AlgorithmName = keyof typeof ALGORITHMS;

/** dash.js's buffer target at the top rung. */
export const MOST_BUFFER_S = 30;
export const MOST_KBPS = 8000;
const OPTIONS = { beta: 0.8, lookahead_s: 10 };

export const ladder: Ladder = readLadders(bigBuckBunny).video;
const sizes = sizesFromSidecar(bigBuckBunny);
/** The position of the next segment in the video of 60 s, so that the lookahead of 10 s does not reach the end. */
const AT_S = 20;

/** The number of past downloads passed to an algorithm. None of `ALGORITHMS` uses more. */
const TOLD = 5;

const freshState = ({ buffer_s, throughput_kbps }: Omit<PlayerSituation, 'algorithm'>): AbrState => ({
  mediaType: 'video',
  ladder,
  buffer: seconds(buffer_s),
  maxBuffer: seconds(MOST_BUFFER_S),
  bufferTarget: seconds(MOST_BUFFER_S),
  playbackRate: 1,
  nextSegmentAt: seconds(AT_S),
  segmentDuration: seconds(2),
  sizes,
  lowLatency: false,
  throughput: kbps(throughput_kbps),
  downloads: [],
});

export interface Chosen {
  readonly rung: Rung;
  readonly reason: string;
  /**
   * The minimum throughput at which the algorithm picks each rung or a higher one, kbit/s; Infinity if no throughput is
   * enough.
   */
  readonly bounds_kbps: readonly number[];
}

/** Returns an algorithm in a running session whose downloads have all had this throughput. */
function atWork(algorithm: AlgorithmName, given: Omit<PlayerSituation, 'algorithm'>) {
  const session = ALGORITHMS[algorithm].session(OPTIONS);
  const fresh = freshState(given);
  const download = createDownload(fresh, ladder[0], fresh.throughput, { abr_reason: 'settled' });
  const downloads = Array.from({ length: TOLD }, () => download);
  for (const each of downloads) session.observe?.({ type: 'download', download: each });
  return { session, state: { ...fresh, downloads } };
}

/** Returns the choice of an algorithm for a buffer level and a throughput, for any previous rung. */
export function choose({ algorithm, ...given }: PlayerSituation): Chosen {
  const { session, state } = atWork(algorithm, given);
  const { rung, reason } = session.choose(state);
  return { rung, reason, bounds_kbps: ladder.map((each) => session.requiredThroughput(state, each)) };
}

/** The number of columns (buffer levels) and rows (throughputs) of the map. */
export const COLUMNS = 60;
export const ROWS = 40;

/**
 * Returns the index of the chosen rung in each cell of the map, by column (buffer level). In a column, throughput
 * increases.
 */
export function chosenMap(algorithm: AlgorithmName): number[][] {
  return Array.from({ length: COLUMNS }, (_, column) =>
    Array.from({ length: ROWS }, (__, row) => {
      const buffer_s = (MOST_BUFFER_S * (column + 0.5)) / COLUMNS;
      const throughput_kbps = (MOST_KBPS * (row + 0.5)) / ROWS;
      const { session, state } = atWork(algorithm, { buffer_s, throughput_kbps });
      return ladder.indexOf(session.choose(state).rung);
    }),
  );
}

/** Returns pairs of a buffer level and the minimum throughput for the top rung, where there is one. */
export function topBound(algorithm: AlgorithmName): [number, number][] {
  const top = ladder[ladder.length - 1] ?? ladder[0];
  return Array.from({ length: COLUMNS + 1 }, (_, column): [number, number] => {
    const buffer_s = (MOST_BUFFER_S * column) / COLUMNS;
    const { session, state } = atWork(algorithm, { buffer_s, throughput_kbps: MOST_KBPS });
    return [buffer_s, session.requiredThroughput(state, top)];
  }).filter(([, bound]) => Number.isFinite(bound));
}
