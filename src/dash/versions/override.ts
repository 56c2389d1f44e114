import type { DashPlayer } from '../player.ts';
import { overrideSettings, type SettingsPatch } from '../settings.ts';

/** Overrides some of dash.js's settings until they are restored. */
export class Override {
  readonly #player: DashPlayer;
  #restore: (() => void) | undefined;

  constructor(player: DashPlayer) {
    this.#player = player;
  }

  /** Does nothing if the override is in place, because every write to a setting makes dash.js do further work. */
  setOnce(patch: SettingsPatch): void {
    this.#restore ??= overrideSettings(this.#player, patch);
  }

  restore(): void {
    this.#restore?.();
    this.#restore = undefined;
  }
}
