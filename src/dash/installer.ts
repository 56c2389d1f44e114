import type { Hooks, Installation } from './hooks.ts';
import type { DashPlayer } from './player.ts';
import { RULE } from './versions/rules.ts';
import { installV4, type DashPlayerV4 } from './versions/v4.ts';
import { installV5, type DashPlayerV5 } from './versions/v5.ts';

export const isV5 = (player: object): player is DashPlayerV5 => 'addRequestInterceptor' in player;

/** Puts Sammy into a player of either version, and in again after the player's own reset(). */
export class Installer {
  readonly #install: () => Installation;
  readonly #isThere: () => boolean;
  #installation: Installation | undefined;

  constructor(player: DashPlayer, hooks: Hooks, initialBitrate_kbps: () => number) {
    this.#install = () =>
      isV5(player)
        ? installV5(player, hooks, initialBitrate_kbps)
        : installV4(player as DashPlayerV4, hooks, initialBitrate_kbps);
    this.#isThere = () => player.getABRCustomRules().some(({ rulename }) => rulename === RULE);
  }

  install(): void {
    this.#installation = this.#install();
  }

  /** Options or the session have changed. */
  refresh(): void {
    this.#installation?.refresh();
  }

  /** Installs anew where somebody else has taken it out. */
  comeBack(): void {
    if (!this.#installation || this.#isThere()) return;
    this.#installation.uninstall();
    this.install();
  }

  uninstall(): void {
    this.#installation?.uninstall();
    this.#installation = undefined;
  }
}
