import { isRecord } from '../records.ts';
import type { DashPlayer } from './player.ts';

/** The value of a dash.js setting by its path, such as `streaming.buffer.fastSwitchEnabled`. */
export function readSetting(player: DashPlayer, path: string): unknown {
  let branch: unknown = player.getSettings();
  for (const name of path.split('.')) branch = isRecord(branch) ? branch[name] : undefined;
  return branch;
}

export function writeSetting(player: DashPlayer, path: string, value: unknown): void {
  const patch = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  player.updateSettings(patch as object);
}

/** Whether the viewer has fixed the quality, so that rules have no effect. */
export const isQualityFixed = (player: DashPlayer, mediaType: string): boolean =>
  readSetting(player, `streaming.abr.autoSwitchBitrate.${mediaType}`) === false;
