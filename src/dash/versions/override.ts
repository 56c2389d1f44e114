import type { DashPlayer } from '../player.ts';
import { overrideSettings, type SettingsPatch } from '../settings.ts';

/** Some of dash.js's settings, ours until they are given back. */
export class Override {
  readonly #player: DashPlayer;
  #giveBack: (() => void) | undefined;

  constructor(player: DashPlayer) {
    this.#player = player;
  }

  /** Leaves alone what has been set already: a setting that is touched sets much else in motion. */
  setOnce(patch: SettingsPatch): void {
    this.#giveBack ??= overrideSettings(this.#player, patch);
  }

  giveBack(): void {
    this.#giveBack?.();
    this.#giveBack = undefined;
  }
}
