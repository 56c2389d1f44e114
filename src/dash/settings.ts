import { isRecord } from '../records.ts';
import type { DashPlayer } from './player.ts';

/** A part of the tree of dash.js's settings. */
export interface SettingsPatch {
  readonly [name: string]: SettingsPatch | string | number | boolean | readonly string[] | null;
}

type Leaf = { readonly path: readonly string[]; readonly before: unknown; readonly set: unknown };

const isBranch = (value: unknown): value is SettingsPatch => isRecord(value) && !Array.isArray(value);

export const readSetting = (settings: unknown, path: readonly string[]): unknown =>
  path.reduce((branch: unknown, name) => (isBranch(branch) ? branch[name] : undefined), settings);

const leavesOf = (patch: SettingsPatch, path: readonly string[] = []): [readonly string[], unknown][] =>
  Object.entries(patch).flatMap(([name, value]) =>
    isBranch(value)
      ? leavesOf(value, [...path, name])
      : [[[...path, name], value] as [readonly string[], unknown]],
  );

/** Whether the viewer has fixed the quality, so that no rule chooses it. */
export const isQualityFixed = (player: DashPlayer, mediaType: string): boolean =>
  readSetting(player.getSettings(), ['streaming', 'abr', 'autoSwitchBitrate', mediaType]) === false;

export const patchOf = (path: readonly string[], value: unknown): SettingsPatch =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as SettingsPatch;

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Applies those settings of `patch` that this dash.js version has. Returns a function that restores them, except any
 * that something else has changed in the meantime.
 */
export function overrideSettings(player: DashPlayer, patch: SettingsPatch): () => void {
  const leaves: Leaf[] = leavesOf(patch).flatMap(([path, set]) => {
    const before = readSetting(player.getSettings(), path);
    return before === undefined ? [] : [{ path, set, before: structuredClone(before) }];
  });
  for (const { path, set } of leaves) player.updateSettings(patchOf(path, set));
  return () => {
    for (const { path, set, before } of leaves) {
      if (same(readSetting(player.getSettings(), path), set)) player.updateSettings(patchOf(path, before));
    }
  };
}
