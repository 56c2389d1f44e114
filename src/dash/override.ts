import type { DashPlayer } from './player.ts';
import { readSetting, writeSetting } from './settings.ts';

type Value = number | boolean;

interface Overridden {
  readonly path: string;
  readonly value: Value;
  /** The value to restore. */
  before: unknown;
}

/** Some of dash.js's settings, with other values until they are restored. */
export interface Override {
  /**
   * Applies `settings`, by path, except those unknown to this dash.js version. If the override is already in place, only
   * reapplies lost values, because every write to a setting makes dash.js do further work.
   */
  setOnce(settings: Readonly<Record<string, Value>>): void;
  /** Reapplies values that other code has overwritten, and stores those for `restore`. Returns whether there were any. */
  keep(): boolean;
  restore(): void;
}

/** Prepares an override. */
export function createOverride(player: DashPlayer): Override {
  let overridden: readonly Overridden[] | undefined;
  const isInPlace = ({ path, value }: Overridden) => readSetting(player, path) === value;
  const keep = () => {
    const lost = (overridden ?? []).filter((each) => !isInPlace(each));
    for (const each of lost) {
      each.before = readSetting(player, each.path);
      writeSetting(player, each.path, each.value);
    }
    return lost.length > 0;
  };
  return {
    setOnce(settings) {
      overridden ??= Object.entries(settings).flatMap(([path, value]) => {
        const before = readSetting(player, path);
        return before === undefined ? [] : { path, value, before };
      });
      keep();
    },
    keep,
    restore() {
      for (const each of overridden ?? []) {
        // Values that other code has changed in the meantime are kept.
        if (isInPlace(each)) writeSetting(player, each.path, each.before);
      }
      overridden = undefined;
    },
  };
}
