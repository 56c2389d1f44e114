/** dash.js 5.2, `switchHistoryRule`: the number of choices that the rule needs. */
const SAMPLE = 8;
/** The ratio of drops to other choices above which the rule avoids a rung. */
const MOST_DROPS = 0.075;

/**
 * Counts how often the player switched down from each rung, so that a rung that is too high is not tried again at once.
 */
export class SwitchHistory {
  readonly #rungs: number;
  #choices: { readonly from: number; readonly drop: boolean }[] = [];

  constructor(rungs: number) {
    this.#rungs = rungs;
  }

  add(from: number, to: number): void {
    this.#choices.push({ from, drop: to < from });
    if (this.#choices.length > SAMPLE) this.#choices.shift();
  }

  reset(): void {
    this.#choices = [];
  }

  /** The highest rung that the history allows; undefined if it allows all rungs. */
  get most(): number | undefined {
    let [drops, kept] = [0, 0];
    for (let rung = 0; rung < this.#rungs; rung++) {
      const own = this.#choices.filter(({ from }) => from === rung);
      const ownDrops = own.filter(({ drop }) => drop).length;
      drops += ownDrops;
      kept += own.length - ownDrops;
      if (own.length > 0 && drops + kept >= SAMPLE && drops / kept > MOST_DROPS)
        return rung > 0 && ownDrops > 0 ? rung - 1 : rung;
    }
    return undefined;
  }
}
