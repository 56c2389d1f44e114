import type { Hooks, Installation } from '../hooks.ts';
import type { DashPlayer } from '../player.ts';

/** The adapter for one major version of dash.js. */
export interface Adapter {
  readonly major: number;
  /** The lowest minor version and patch that are supported. Older ones were not tested, or lack what Sammy needs. */
  readonly from: readonly [minor: number, patch: number];
  /** Whether Sammy can join a session that is playing. If not, installing attaches the source again. */
  readonly joins: boolean;
  /** Installs Sammy in a player of this version. */
  install(player: DashPlayer, hooks: Hooks): Installation;
}

/** Returns the adapter for a version of dash.js, or undefined if there is none, as for the future 6. */
export function adapterFor(version: string, adapters: readonly Adapter[]): Adapter | undefined {
  const [, major, minor = 0, patch = 0] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  return adapters.find(
    ({ major: driven, from: [leastMinor, leastPatch] }) =>
      major === driven && (minor > leastMinor || (minor === leastMinor && patch >= leastPatch)),
  );
}
