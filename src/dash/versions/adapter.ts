import type { Hooks, Installation } from '../hooks.ts';
import type { DashPlayer } from '../player.ts';

/** The adapter for one major version of dash.js. */
export interface Adapter {
  /** The supported versions. Older ones are untested, or do not have features that Sammy needs. */
  readonly versions: RegExp;
  /** Whether Sammy can be attached during playback. If not, installing attaches the source again. */
  readonly supportsMidPlayback: boolean;
  /** Installs Sammy in a player of this version. */
  install(player: DashPlayer, hooks: Hooks): Installation;
}

/** Returns the adapter for a version of dash.js, or undefined if it is not supported, such as a future version 6. */
export const adapterFor = (version: string, adapters: readonly Adapter[]): Adapter | undefined =>
  adapters.find(({ versions }) => versions.test(version));
