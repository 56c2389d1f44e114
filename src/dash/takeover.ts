import type { Hooks } from './hooks.ts';
import type { DashPlayer } from './player.ts';
import { overrideSettings, readSetting, type SettingsPatch } from './settings.ts';

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
  let giveBack: (() => void) | undefined;
  const restore = () => {
    giveBack?.();
    giveBack = undefined;
  };
  return {
    restore,
    apply() {
      restore();
      if (hooks.playerChooses()) return;
      // -1 is dash.js's "not set"; what the application has set stands.
      const isSet = readSetting(player.getSettings(), ['streaming', 'abr', 'initialBitrate', 'video']) !== -1;
      const video = Math.max(1, Math.floor(initialBitrate_kbps()));
      giveBack = overrideSettings(player, {
        streaming: {
          abr: { ...competing, ...(!isSet && { initialBitrate: { video } }) },
          // It remembers throughput of the playing phase, which the pace has set.
          lastBitrateCachingInfo: { enabled: false },
        },
      });
    },
  };
}
