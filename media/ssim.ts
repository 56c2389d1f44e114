import { SEGMENT_S, type EncodedRung, type Size } from './ladder.ts';
import type { Source } from './sources/source.ts';

/**
 * SSIM is computed for every nth frame of a segment, starting with the first. Every fourth frame takes a quarter of the
 * work, and the result is within 0.3 dB of the SSIM of all frames on the default content.
 */
export const SSIM_EVERY_NTH_FRAME = 4;

/**
 * The maximum SSIM in dB, for a difference below 1e-6. An SSIM of 1 would be infinite in dB, which JSON cannot
 * represent.
 */
const SSIM_MAX_DB = 60;

/** Converts an SSIM to dB: -10 log10(1 - SSIM), from 0 dB (no similarity) to 60 dB (no difference). */
export const ssimDb = (ssim: number): number =>
  Math.min(SSIM_MAX_DB, Math.max(0, -10 * Math.log10(Math.max(1 - ssim, 1e-12))));

export const ssimLog = (rung: EncodedRung): string => `${rung.id}.ssim`;

/**
 * Returns the arguments for one ffmpeg process that compares every rung with the source at the top rung's size, and
 * writes a log for each rung into the current folder. Each rung is given as one file. Frames are paired by number, not
 * by time.
 */
export function ssimArguments(
  source: Source,
  top: Size,
  rungs: readonly EncodedRung[],
  files: readonly string[],
): string[] {
  const framesPerSegment = source.frameRate * SEGMENT_S;
  const sample = `select=not(mod(mod(n\\,${framesPerSegment})\\,${SSIM_EVERY_NTH_FRAME})),setpts=N/(${source.frameRate}*TB)`;
  const scale = `scale=${top.width}:${top.height}:flags=bicubic,setsar=1,format=yuv420p`;
  const references = rungs.map((_, index) => `[source${index}]`).join('');
  const graph = [
    source.picture,
    `[picture]${sample},${scale},split=${rungs.length}${references}`,
    ...rungs.flatMap((rung, index) => [
      `[${source.inputCount + index}:v:0]${sample},${scale}[rung${index}]`,
      `[rung${index}][source${index}]ssim=stats_file=${ssimLog(rung)}[out${index}]`,
    ]),
  ].join(';');
  return [
    ...source.inputs,
    ...files.flatMap((file) => ['-i', file]),
    ...['-filter_complex', graph],
    ...rungs.flatMap((_, index) => ['-map', `[out${index}]`, '-vsync', '0', '-f', 'null', '-']),
  ];
}

/**
 * Parses the SSIM over all planes of each frame from a log of ffmpeg's filter: `n:1 Y:0.87 U:0.93 V:0.97 All:0.89
 * (9.95)`.
 */
export const parseSsim = (log: string): number[] =>
  [...log.matchAll(/\bAll:([\d.]+)/g)].map(([, value]) => Number(value));

/** Returns the SSIM in dB of each segment: the mean over the segment's measured frames, converted to dB. */
export function segmentSsim(frames: readonly number[], frameRate: number): number[] {
  const perSegment = Math.ceil((frameRate * SEGMENT_S) / SSIM_EVERY_NTH_FRAME);
  const count = Math.ceil(frames.length / perSegment);
  return Array.from({ length: count }, (_, index) => {
    const own = frames.slice(index * perSegment, (index + 1) * perSegment);
    return ssimDb(own.reduce((sum, ssim) => sum + ssim, 0) / own.length);
  });
}
