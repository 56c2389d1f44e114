/** What inputs led to: how often the policy gave which reason, and the server which status. */
export class Outcomes {
  readonly counts: Record<string, number> = {};
  #answers = 0;
  #withReason = 0;

  count(outcome: string): void {
    this.counts[outcome] = (this.counts[outcome] ?? 0) + 1;
  }

  /** All that was heard in answer to a raw input: it has reached the policy where a receipt tells a reason. */
  countAnswer(heard: string): void {
    this.count(heard === '' ? 'nothing' : (/^HTTP\/1\.1 (\d{3}) /.exec(heard)?.[1] ?? 'other'));
    this.#answers += 1;
    if (/^server-timing: pace;desc=/im.test(heard)) this.#withReason += 1;
  }

  /** The share of raw inputs that were not refused before. */
  get reachedPolicy(): number {
    return this.#withReason / this.#answers;
  }
}
