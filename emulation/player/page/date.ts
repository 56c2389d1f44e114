/** `Date` that goes by a page's clock, ms since 1970, in whole ones as everybody's. */
export function dateOf(Own: DateConstructor, now_ms: () => number): DateConstructor {
  const now = () => Math.floor(now_ms());
  function PageDate(...given: readonly unknown[]): Date | string {
    // Without `new`, whatever TypeScript thinks.
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
