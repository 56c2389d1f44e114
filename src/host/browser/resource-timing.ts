/** PerformanceResourceTiming with `deliveryType`, which is missing in TypeScript's declarations. */
export type ResourceTiming = PerformanceResourceTiming & { readonly deliveryType?: string };

/** The latest complete response that had no timing entry when it ended. */
let unlisted: [url: string | null, since: number | undefined] | undefined;

/**
 * Returns the browser's timing of the request for `url` that was sent at `since` (ms) and received `size_bytes`. If
 * `since` is unknown, returns the timing of the latest request. Undefined if the timing buffer is full, or if several
 * requests match, because byte ranges of audio and video may share a URL. Null if the entry has not been added yet but
 * probably will be: the previous complete response without an entry has one by now.
 */
export function findTiming(
  url: string | null,
  since: number | undefined,
  size_bytes: number,
  isComplete = true,
): ResourceTiming | null | undefined {
  const findMatching = (url: string | null, since = 2): ResourceTiming[] =>
    (performance.getEntriesByType('resource') as ResourceTiming[]).filter(
      ({ name, startTime }) =>
        url !== null &&
        // The browser rounds times, and dash.js 4.7 reports whole milliseconds.
        startTime >= since - 2 &&
        // The player or Sammy may have added a query to the URL.
        name.startsWith(url),
    );
  const made = findMatching(url, since);
  if (made.length === 0) {
    // For requests that failed or were canceled, browsers may add the entry late or never.
    if (!isComplete) return undefined;
    const isListedLate = unlisted && findMatching(...unlisted).length > 0;
    unlisted = [url, since];
    return isListedLate ? null : undefined;
  }
  if (since === undefined || made.length < 2) return made.at(-1);
  // An entry whose size is hidden may belong to any of the requests.
  const possible = made.filter(({ decodedBodySize }) => !decodedBodySize || decodedBodySize === size_bytes);
  return possible.length === 1 ? possible[0] : undefined;
}
