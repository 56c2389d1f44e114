import { secondsToMilliseconds, type Seconds } from '../units.ts';
import type { DashPlayer } from './player.ts';
import { overrideSettings } from './settings.ts';

/**
 * After an abandonment dash.js goes up to no higher rung for 10 s (`abandonLoadTimeout`), in which a low rung can fill
 * the whole buffer. The estimate knows of the abandoned download, so that one segment's duration is enough.
 */
export class LockOut {
  readonly #player: DashPlayer;
  #giveBack: (() => void) | undefined;

  constructor(player: DashPlayer) {
    this.#player = player;
  }

  /** How long the next one lasts; dash.js asks as it abandons. */
  last(duration: Seconds): void {
    this.giveBack();
    const abandonLoadTimeout = secondsToMilliseconds(duration);
    this.#giveBack = overrideSettings(this.#player, { streaming: { abandonLoadTimeout } });
  }

  giveBack(): void {
    this.#giveBack?.();
    this.#giveBack = undefined;
  }
}
