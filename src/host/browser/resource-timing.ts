/** TypeScript's declarations lack `deliveryType`. */
export type ResourceTiming = PerformanceResourceTiming & { readonly deliveryType?: string };

/**
 * The browser's timing of the request for `url` that was made at `since` (ms) and brought `size_bytes`, or the latest one if
 * `since` is not known. Undefined if its timing buffer is full, or if several requests could be meant: byte ranges of audio
 * and video may share a URL.
 */
export function timingOf(
  url: string | null,
  since: number | undefined,
  size_bytes: number,
): ResourceTiming | undefined {
  const made = (performance.getEntriesByType('resource') as ResourceTiming[]).filter(
    ({ name, startTime }) =>
      url !== null &&
      // The browser rounds times, and dash.js 4.7 tells whole milliseconds.
      startTime >= (since ?? 2) - 2 &&
      // The player or Sammy may have added a query to the URL.
      name.startsWith(url),
  );
  if (since === undefined || made.length < 2) return made.at(-1);
  // What hides its size may be any.
  const possible = made.filter(({ decodedBodySize }) => !decodedBodySize || decodedBodySize === size_bytes);
  return possible.length === 1 ? possible[0] : undefined;
}
