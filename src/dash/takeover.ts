import type { Hooks } from './hooks.ts';
import { Override } from './versions/override.ts';
import type { DashPlayer } from './player.ts';
import { patchOf, readSetting, type SettingsPatch } from './settings.ts';

/** The settings of dash.js that Sammy changes while it chooses the rungs. */
export interface Takeover {
  /** Sets them, or gives them back while dash.js is to choose; call it again when that has changed. */
  apply(): void;
  restore(): void;
}

/** `competing`: what this version of dash.js has under `streaming.abr` that must not choose rungs too. */
export function takeover(
  player: DashPlayer,
  hooks: Hooks,
  initialBitrate_kbps: () => number,
  competing: SettingsPatch,
): Takeover {
  const rules = new Override(player);
  const initialBitrate = new Override(player);
  const restore = () => {
    initialBitrate.giveBack();
    rules.giveBack();
  };
  return {
    restore,
    apply() {
      if (hooks.playerChooses()) {
        restore();
        return;
      }
      // Once: dash.js 5 takes all custom rules up again whenever a rule's setting is touched.
      rules.setOnce({
        streaming: {
          abr: competing,
          // It remembers throughput of the playing phase, which the pace has set.
          lastBitrateCachingInfo: { enabled: false },
          // ms after an abandonment in which dash.js goes to no higher rung: 10 s of them would fill the buffer with a low
          // one. Sammy is asked again once the replacement has arrived, and knows of the download that was given up.
          abandonLoadTimeout: 0,
        },
      });
      initialBitrate.giveBack();
      // -1 is dash.js's "not set"; what the application has set stands.
      const path = ['streaming', 'abr', 'initialBitrate', 'video'];
      if (readSetting(player.getSettings(), path) === -1) {
        initialBitrate.setOnce(patchOf(path, Math.max(1, Math.floor(initialBitrate_kbps()))));
      }
    },
  };
}
