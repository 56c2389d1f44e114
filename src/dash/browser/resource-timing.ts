/** TypeScript's declarations do not have all of it yet. */
export type ResourceTiming = PerformanceResourceTiming & { readonly deliveryType?: string };

/** What the browser tells of the last request for `url` since then; a full timing buffer tells nothing. */
export const timingOf = (url: string, since: number): ResourceTiming | undefined =>
  performance
    .getEntriesByType('resource')
    // dash.js or Sammy may have added a query, and times are coarse.
    .filter((resource) => resource.startTime >= since - 1 && resource.name.startsWith(url))
    .at(-1) as ResourceTiming | undefined;
