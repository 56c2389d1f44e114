import type { Hooks, Installation } from './hooks.ts';
import type { DashPlayer } from './player.ts';
import { RULE } from './versions/rules.ts';
import { installV4, type DashPlayerV4 } from './versions/v4.ts';
import { installV5, type DashPlayerV5 } from './versions/v5.ts';

export const isV5 = (player: object): player is DashPlayerV5 => 'addRequestInterceptor' in player;

/** Installs Sammy in a player of either dash.js version, and again after the player's own reset(). */
export class Installer {
  readonly #install: () => Installation;
  readonly #isInstalled: () => boolean;
  #installation: Installation | undefined;

  constructor(player: DashPlayer, hooks: Hooks, initialBitrate_kbps: () => number) {
    this.#install = () =>
      isV5(player)
        ? installV5(player, hooks, initialBitrate_kbps)
        : installV4(player as DashPlayerV4, hooks, initialBitrate_kbps);
    this.#isInstalled = () => player.getABRCustomRules().some(({ rulename }) => rulename === RULE);
  }

  install(): void {
    this.#installation = this.#install();
  }

  /** To be called when options or the session have changed. */
  refresh(): void {
    this.#installation?.refresh();
  }

  /** Installs again if something else has removed the rules, as the player's reset() does. */
  reinstall(): void {
    if (!this.#installation || this.#isInstalled()) return;
    this.#installation.uninstall();
    this.install();
  }

  uninstall(): void {
    this.#installation?.uninstall();
    this.#installation = undefined;
  }
}
