import type { Hooks } from './hooks.ts';
import { Override } from './versions/override.ts';
import type { DashPlayer } from './player.ts';
import { readSetting } from './settings.ts';

/** The dash.js settings that Sammy overrides while it chooses the rungs. */
export interface Takeover {
  /** Overrides the settings, or restores them if dash.js is to choose. To be called again when that has changed. */
  apply(): void;
  /** Overrides them again, with a warning, if something else has written them. To be called with every choice. */
  keep(): void;
  restore(): void;
}

/** `competing` are the settings that switch this dash.js version's own choice of rungs on and off. */
export function takeover(player: DashPlayer, hooks: Hooks, competing: readonly string[]): Takeover {
  const rules = new Override(player);
  const initialBitrate = new Override(player);
  const restore = () => {
    initialBitrate.restore();
    rules.restore();
  };
  return {
    restore,
    keep() {
      if (rules.keep()) hooks.warnings.warn('settings-overridden', 'settings that Sammy overrides were set');
    },
    apply() {
      if (!hooks.session().sammy.choosesRungs) {
        restore();
        return;
      }
      // Only once, because dash.js 5 adds all custom rules again whenever the setting of a rule is written.
      rules.setOnce({
        ...Object.fromEntries(competing.map((path) => [path, false])),
        // dash.js would remember throughput of the playing phase, which the pace limits.
        'streaming.lastBitrateCachingInfo.enabled': false,
        // Time in ms after an abandonment in which dash.js does not switch up. Its default of 10 s would fill the buffer
        // with a low rung. Sammy, who is asked again after the replacement, takes the abandoned download into account.
        'streaming.abandonLoadTimeout': 0,
      });
      initialBitrate.restore();
      // -1 means "not set" in dash.js. A value that the application has set is kept.
      const path = 'streaming.abr.initialBitrate.video';
      if (readSetting(player, path) === -1) {
        const chosen_kbps = hooks.guarded(() => hooks.session().sammy.initialBitrate) ?? 1;
        initialBitrate.setOnce({ [path]: Math.max(1, Math.round(chosen_kbps)) });
      }
    },
  };
}
