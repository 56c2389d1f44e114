/**
 * Watch times of streams, s: the quantiles 0, 2.5%, 5% ... 100% of all streams in Puffer's public statistics
 * (github.com/StanfordSNR/puffer-statistics, plots/watchtimes), over all of its four schemes.
 */
const QUANTILES_S = [
  0, 1.56, 2.86, 4.62, 6.93, 9.61, 12.55, 15.62, 19.14, 22.99, 27.36, 31.92, 35.7, 40.59, 46.28, 53.25, 61.49,
  71.13, 83.45, 98.84, 117.67, 141.22, 171.41, 210.34, 260.77, 325.68, 406.75, 518.78, 665.92, 845.16,
  1083.28, 1394.14, 1780.81, 2256.27, 2905.93, 3685.76, 4700.83, 6295.72, 8353.41, 13604.35, 77732.8,
] as const;

/**
 * The watch time below which a share of all streams lies, s; `share` is 0 to 1. Interpolated linearly between the
 * quantiles.
 */
export function watchTime(share: number): number {
  const place = share * (QUANTILES_S.length - 1);
  const index = Math.min(Math.floor(place), QUANTILES_S.length - 2);
  const [below = 0, above = 0] = QUANTILES_S.slice(index, index + 2);
  return below + (place - index) * (above - below);
}
