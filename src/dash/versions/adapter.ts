import type { Hooks, Installation } from '../hooks.ts';
import type { DashPlayer } from '../player.ts';

/** What knows one major version of dash.js. */
export interface Adapter {
  readonly major: number;
  /** The least minor version and patch that it drives. Older ones were not tried, or lack what Sammy needs. */
  readonly from: readonly [minor: number, patch: number];
  /** Sammy may join a session that plays; without it the source is attached anew. */
  readonly joins: boolean;
  /** Puts Sammy into a player of this version. */
  install(player: DashPlayer, hooks: Hooks, initialBitrate_kbps: () => number): Installation;
}

/** The adapter for a version of dash.js, or undefined where none drives it: what a 6 will be is not known. */
export function adapterFor(version: string, adapters: readonly Adapter[]): Adapter | undefined {
  const [, major, minor = 0, patch = 0] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  return adapters.find(
    ({ major: driven, from: [leastMinor, leastPatch] }) =>
      major === driven && (minor > leastMinor || (minor === leastMinor && patch >= leastPatch)),
  );
}
