import type { CompletedDecision } from '../decision.ts';
import { kbps, type Kbps } from '../units.ts';
import type { AbrState } from './abr.ts';
import { throughputSample } from './samples.ts';

/**
 * The number of latest samples, and of latest errors, that predictions use (Yin et al., SIGCOMM 2015; Puffer's thesis,
 * Table 2.2).
 */
const SAMPLES = 5;

/** The harmonic mean of the last five samples, or the throughput estimate before the first sample. */
export const harmonicMean = ({ downloads, throughput }: AbrState): Kbps => predictMean(downloads, throughput);

function predictMean(downloads: readonly CompletedDecision[], expected: Kbps): Kbps {
  const samples = downloads.slice(-SAMPLES).map((download) => throughputSample(download, expected));
  if (samples.length === 0) return expected;
  return kbps(samples.length / samples.reduce((sum, sample) => sum + 1 / sample, 0));
}

/**
 * The largest relative error of the harmonic mean among the last five downloads, each predicted from the downloads
 * before it. A pace-limited download has error 0, because it could have been as fast as predicted.
 */
export function largestError({ downloads, throughput }: AbrState): number {
  const errors = downloads.map((download, index) => {
    if (index === 0 || download.pace_limited) return 0;
    const actual = throughputSample(download, throughput);
    return Math.abs(predictMean(downloads.slice(0, index), throughput) - actual) / actual;
  });
  return Math.max(0, ...errors.slice(-SAMPLES));
}
