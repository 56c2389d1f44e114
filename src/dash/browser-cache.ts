/**
 * Did the browser have the body itself, with the server's word or without that it is still good? Then its speed says
 * nothing about the network. Where resource timing tells nothing (another origin without Timing-Allow-Origin, a full
 * timing buffer) the answer is no.
 */
export function cameFromCache(url: string, since: number): boolean {
  // dash.js or Sammy may have added a query, and times are coarse.
  const entry = performance
    .getEntriesByType('resource')
    .filter((resource) => resource.startTime >= since - 1 && resource.name.startsWith(url))
    .at(-1) as PerformanceResourceTiming | undefined;
  return entry !== undefined && entry.transferSize < entry.encodedBodySize;
}
