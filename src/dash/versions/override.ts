import type { DashPlayer } from '../player.ts';
import { readSetting, writeSetting } from '../settings.ts';

/** Overrides some of dash.js's settings until they are restored. */
export class Override {
  readonly #player: DashPlayer;
  #restorers: readonly (() => void)[] | undefined;

  constructor(player: DashPlayer) {
    this.#player = player;
  }

  /**
   * Applies those of `settings`, by path, that this dash.js version has. Does nothing if the override is in place,
   * because every write to a setting makes dash.js do further work.
   */
  setOnce(settings: Readonly<Record<string, number | boolean>>): void {
    this.#restorers ??= Object.entries(settings).flatMap(([path, value]) => {
      const before = readSetting(this.#player, path);
      if (before === undefined) return [];
      writeSetting(this.#player, path, value);
      return () => {
        // What something else has changed in the meantime is kept.
        if (readSetting(this.#player, path) === value) writeSetting(this.#player, path, before);
      };
    });
  }

  restore(): void {
    for (const restore of this.#restorers ?? []) restore();
    this.#restorers = undefined;
  }
}
