/** TypeScript's declarations lack `deliveryType`. */
export type ResourceTiming = PerformanceResourceTiming & { readonly deliveryType?: string };

/** The browser's timing of the last request for `url` since `since` (ms); undefined if its timing buffer is full. */
export const timingOf = (url: string, since: number): ResourceTiming | undefined =>
  performance
    .getEntriesByType('resource')
    // The player or Sammy may have added a query to the URL, and the browser rounds times.
    .findLast((resource) => resource.startTime >= since - 1 && resource.name.startsWith(url)) as
    | ResourceTiming
    | undefined;
