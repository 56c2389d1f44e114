import type { Installation } from './hooks.ts';
import type { DashPlayer } from './player.ts';
import { hasSammyRule } from './versions/rules.ts';

/** Installs Sammy in a player, and again after the player's own reset(). */
export class Installer {
  readonly #player: DashPlayer;
  readonly #install: () => Installation;
  #installation: Installation | undefined;

  constructor(player: DashPlayer, install: () => Installation) {
    this.#player = player;
    this.#install = install;
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
    if (!this.#installation || hasSammyRule(this.#player)) return;
    this.#installation.uninstall();
    this.install();
  }

  uninstall(): void {
    this.#installation?.uninstall();
    this.#installation = undefined;
  }
}
