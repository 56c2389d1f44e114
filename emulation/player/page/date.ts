/** Makes a `Date` that uses a page's clock, in whole ms since 1970 as usual. */
export function makeDate(Own: DateConstructor, now_ms: () => number): DateConstructor {
  const now = () => Math.floor(now_ms());
  function PageDate(...given: readonly unknown[]): Date | string {
    // Called without `new`, which TypeScript does not expect.
    if (!(new.target as object | undefined)) return new Own(now()).toString();
    return given.length === 0 ? new Own(now()) : new Own(...(given as [number]));
  }
  return Object.assign(PageDate, {
    now,
    UTC: Own.UTC,
    parse: Own.parse,
    prototype: Own.prototype,
  }) as unknown as DateConstructor;
}
