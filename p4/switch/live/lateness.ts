/** A histogram of lateness in steps of 10 µs. Its memory does not grow with the length of the run. */
export class Lateness {
  private readonly counts = new Uint32Array(1001);
  private total = 0;
  private max = 0;

  add(microseconds: number): void {
    const step = Math.max(0, Math.min(this.counts.length - 1, Math.floor(microseconds / 10)));
    this.counts[step] = (this.counts[step] ?? 0) + 1;
    this.total++;
    if (microseconds > this.max) this.max = microseconds;
  }

  summary(): { p50: number; p99: number; max: number } {
    return { p50: this.percentile(0.5), p99: this.percentile(0.99), max: Math.round(this.max) };
  }

  /** The upper bound of the step that contains the percentile. */
  private percentile(share: number): number {
    let seen = 0;
    for (const [step, count] of this.counts.entries()) {
      seen += count;
      if (seen > 0 && seen >= share * this.total) return (step + 1) * 10;
    }
    return 0;
  }
}
