import { isRecord } from '../records.ts';
import type { DashPlayer } from './player.ts';

/** The value of one of dash.js's settings, by its path, such as `streaming.buffer.fastSwitchEnabled`. */
export const readSetting = (player: DashPlayer, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((branch, name) => (isRecord(branch) ? branch[name] : undefined), player.getSettings());

export function writeSetting(player: DashPlayer, path: string, value: unknown): void {
  const patch = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  player.updateSettings(patch as object);
}

/** Whether the viewer has fixed the quality, so that no rule chooses it. */
export const isQualityFixed = (player: DashPlayer, mediaType: string): boolean =>
  readSetting(player, `streaming.abr.autoSwitchBitrate.${mediaType}`) === false;
