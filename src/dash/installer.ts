import type { Hooks, Installation } from './hooks.ts';
import type { DashPlayer } from './player.ts';
import type { Adapter } from './versions/adapter.ts';
import { hasSammyRule } from './versions/rules.ts';

/** Installs Sammy in a player, and again after the player's own reset(). */
export class Installer {
  readonly #install: () => Installation;
  readonly #isInstalled: () => boolean;
  #installation: Installation | undefined;

  constructor(adapter: Adapter, player: DashPlayer, hooks: Hooks, initialBitrate_kbps: () => number) {
    this.#install = () => adapter.install(player, hooks, initialBitrate_kbps);
    this.#isInstalled = () => hasSammyRule(player);
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
