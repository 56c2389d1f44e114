import type { DashPlayer } from '../player.ts';
import { readSetting, writeSetting } from '../settings.ts';

interface Overridden {
  readonly path: string;
  readonly value: Value;
  /** The value to restore. */
  before: unknown;
}

type Value = number | boolean;

/** Overrides some of dash.js's settings until they are restored. */
export class Override {
  readonly #player: DashPlayer;
  #overridden: readonly Overridden[] | undefined;

  constructor(player: DashPlayer) {
    this.#player = player;
  }

  /**
   * Applies `settings`, by path, except those unknown to this dash.js version. If the override is already in place, only
   * reapplies lost values, because every write to a setting makes dash.js do further work.
   */
  setOnce(settings: Readonly<Record<string, Value>>): void {
    this.#overridden ??= Object.entries(settings).flatMap(([path, value]) => {
      const before = readSetting(this.#player, path);
      return before === undefined ? [] : { path, value, before };
    });
    this.keep();
  }

  /** Reapplies values that other code has overwritten, and stores those for `restore`. Returns whether there were any. */
  keep(): boolean {
    const lost = (this.#overridden ?? []).filter((each) => !this.#holds(each));
    for (const each of lost) {
      each.before = readSetting(this.#player, each.path);
      writeSetting(this.#player, each.path, each.value);
    }
    return lost.length > 0;
  }

  restore(): void {
    for (const each of this.#overridden ?? []) {
      // Values that other code has changed in the meantime are kept.
      if (this.#holds(each)) writeSetting(this.#player, each.path, each.before);
    }
    this.#overridden = undefined;
  }

  #holds({ path, value }: Overridden): boolean {
    return readSetting(this.#player, path) === value;
  }
}
