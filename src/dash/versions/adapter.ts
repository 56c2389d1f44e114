import type { Hooks, Installation } from '../hooks.ts';
import type { DashPlayer } from '../player.ts';

/** The adapter for one major version of dash.js. */
export interface Adapter {
  /** The versions that are supported. Older ones were not tested, or lack what Sammy needs. */
  readonly versions: RegExp;
  /** Whether Sammy can join a session that is playing. If not, installing attaches the source again. */
  readonly joins: boolean;
  /** Installs Sammy in a player of this version. */
  install(player: DashPlayer, hooks: Hooks): Installation;
}

/** Returns the adapter for a version of dash.js, or undefined if there is none, as for the future 6. */
export const adapterFor = (version: string, adapters: readonly Adapter[]): Adapter | undefined =>
  adapters.find(({ versions }) => versions.test(version));
