import type { Sidecar } from '../src/film/sidecar.ts';

/** Returns the number of leading segments that have the same duration as the first one. */
export function wholeSegments({ segment_duration_s: durations }: Sidecar): number {
  const short = durations.findIndex((duration) => duration !== durations[0]);
  return short < 0 ? durations.length : short;
}

/** Repeats the sidecar's first `whole` segments `times` times, starting at segment index `first`. */
export function loopSidecar(sidecar: Sidecar, whole: number, times: number, first = 0): Sidecar {
  const repeated = (list: readonly number[]): number[] =>
    Array.from({ length: times }, () => [...list.slice(first, whole), ...list.slice(0, first)]).flat();
  return {
    ...sidecar,
    segment_duration_s: repeated(sidecar.segment_duration_s),
    representations: Object.fromEntries(
      Object.entries(sidecar.representations).map(([id, representation]) => [
        id,
        {
          ...representation,
          segment_bytes: repeated(representation.segment_bytes),
          ...(representation.segment_ssim_db && {
            segment_ssim_db: repeated(representation.segment_ssim_db),
          }),
        },
      ]),
    ),
  };
}
