import type { DashPlayer } from './player.ts';
import { readSetting, writeSetting } from './settings.ts';

type Value = number | boolean;

interface Overridden {
  readonly path: string;
  readonly value: Value;
  /** The value to restore. */
  before: unknown;
}

/** Overrides values of dash.js's settings until `restore`. */
export interface Override {
  /**
   * Applies `settings`, by path, except settings that this dash.js version does not have. If they are already applied,
   * only reapplies values that other code has overwritten, because every write to a setting makes dash.js do further
   * work.
   */
  setOnce(settings: Readonly<Record<string, Value>>): void;
  /**
   * Reapplies values that other code has overwritten, and stores the other code's values for `restore`. Returns whether
   * any were overwritten.
   */
  keep(): boolean;
  restore(): void;
}

/** Creates an override that has no effect until `setOnce`. */
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
        // Keep values that other code has set in the meantime.
        if (isInPlace(each)) writeSetting(player, each.path, each.before);
      }
      overridden = undefined;
    },
  };
}
