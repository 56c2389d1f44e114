import type { Installation } from '../../host/attachment.ts';
import type { DashPlayer } from '../player.ts';
import type { DashAttachment } from '../session.ts';

/** The adapter for one major version of dash.js. */
export interface Adapter {
  /** The supported versions. Older versions are untested, or lack features that Sammy needs. */
  readonly versions: RegExp;
  /** Whether installing attaches the source again, because Sammy cannot be attached during playback. */
  readonly restartsPlayback: boolean;
  /** Installs Sammy in a player of this version. */
  readonly install: (player: DashPlayer, attachment: DashAttachment) => Installation;
}

/** Returns the adapter for a version of dash.js, or undefined if the version is not supported. */
export const adapterFor = (version: string, adapters: readonly Adapter[]): Adapter | undefined =>
  adapters.find(({ versions }) => versions.test(version));
