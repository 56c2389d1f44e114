import type { DashPlayer } from './player.ts';
import { overrideSettings } from './settings.ts';

const OFF = { streaming: { buffer: { fastSwitchEnabled: false } } };

/** dash.js's fast switch: on a switch up it replaces all that it has buffered. */
export class FastSwitch {
  readonly #player: DashPlayer;
  #giveBack: (() => void) | undefined;

  constructor(player: DashPlayer) {
    this.#player = player;
  }

  /** Off until it is given back. */
  off(): void {
    this.#giveBack ??= overrideSettings(this.#player, OFF);
  }

  giveBack(): void {
    this.#giveBack?.();
    this.#giveBack = undefined;
  }
}
