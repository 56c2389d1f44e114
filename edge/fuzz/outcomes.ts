/** Counts the results of the inputs: the reasons that the policy gave, and the statuses that the server sent. */
export class Outcomes {
  readonly counts: Record<string, number> = {};
  #answers = 0;
  #withReason = 0;

  count(outcome: string): void {
    this.counts[outcome] = (this.counts[outcome] ?? 0) + 1;
  }

  /** Counts the response to a raw input. The input has reached the policy if the response's receipt has a reason. */
  countAnswer(heard: string): void {
    this.count(heard === '' ? 'nothing' : (/^HTTP\/1\.1 (\d{3}) /.exec(heard)?.[1] ?? 'other'));
    this.#answers += 1;
    if (/^server-timing: pace;desc=/im.test(heard)) this.#withReason += 1;
  }

  /** The share of raw inputs that reached the policy; NaN without raw inputs. */
  get reachedPolicy(): number {
    return this.#withReason / this.#answers;
  }
}
