/** A clock that runs only while an arm has its turn. Times are ms of the page's clock. */
export class ActiveTime {
  readonly #periods: { readonly from_ms: number; to_ms: number; readonly before_s: number }[] = [];

  begin(now_ms: number): void {
    const last = this.#periods.at(-1);
    const before_s = last ? last.before_s + (last.to_ms - last.from_ms) / 1000 : 0;
    this.#periods.push({ from_ms: now_ms, to_ms: Infinity, before_s });
  }

  end(now_ms: number): void {
    const last = this.#periods.at(-1);
    if (last?.to_ms === Infinity) last.to_ms = now_ms;
  }

  /** Converts a time of the page's clock to seconds on this clock. Null if this clock did not run at that time. */
  at(time_ms: number): number | null {
    const period = this.#periods.find(({ from_ms, to_ms }) => from_ms <= time_ms && time_ms <= to_ms);
    return period ? period.before_s + (time_ms - period.from_ms) / 1000 : null;
  }

  /** The starts of all turns except the first, in seconds on this clock. */
  get starts_s(): readonly number[] {
    return this.#periods.slice(1).map(({ before_s }) => before_s);
  }
}
