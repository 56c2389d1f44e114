import { MEDIA_TYPES } from '../host/media-types.ts';
import { chooseInitialBitrate } from '../session/initial-bitrate.ts';
import type { DashAttachment } from './session.ts';
import { createOverride } from './override.ts';
import type { DashPlayer } from './player.ts';
import { readSetting } from './settings.ts';

const INITIAL_BITRATE = 'streaming.abr.initialBitrate';

/** The dash.js settings that Sammy overrides while it chooses the rungs. */
export interface Takeover {
  /**
   * Overrides the settings if Sammy chooses the rungs, and restores them otherwise. Call it again when this changes.
   */
  apply(): void;
  /** Reapplies settings that other code has changed, and warns. Call it with every choice. */
  keep(): void;
  /**
   * Whether the application or the manifest determines the first representation of a media type. dash.js then asks no
   * rule for the first segment.
   */
  keepsStart(mediaType: string): boolean;
  /**
   * Allows or forbids dash.js to replace buffered segments on a switch up, until the next call of `apply` or `restore`.
   */
  allowReplacing(isAllowed: boolean): void;
  /** Call it with each manifest that dash.js has loaded. */
  readonly readManifest: (event: { readonly data?: ManifestLike }) => void;
  restore(): void;
}

/**
 * The parts of a parsed manifest that are used. A single `ServiceDescription` is a list in dash.js 5 and an object in
 * 4.7.
 */
interface ManifestLike {
  readonly ServiceDescription?: ServiceDescriptionLike | readonly ServiceDescriptionLike[];
}
interface ServiceDescriptionLike {
  readonly OperatingBandwidth?: { readonly target?: unknown };
}

/**
 * Prepares the override of dash.js's settings. `competing` are the settings that enable this version's own rules.
 * `isStartSet` returns whether a setting of this version, other than the initial bitrate, determines the first
 * representation of a media type.
 */
export function takeover(
  player: DashPlayer,
  attachment: DashAttachment,
  competing: readonly string[],
  isStartSet: (mediaType: string) => boolean = () => false,
): Takeover {
  const rules = createOverride(player);
  const initialBitrate = createOverride(player);
  const fastSwitch = createOverride(player);
  let kept: readonly string[] = [];
  const restore = () => {
    initialBitrate.restore();
    rules.restore();
    fastSwitch.restore();
  };
  return {
    restore,
    keepsStart: (mediaType) => kept.includes(mediaType),
    readManifest({ data }) {
      const descriptions = [data?.ServiceDescription ?? []].flat();
      if (!descriptions.some(({ OperatingBandwidth }) => OperatingBandwidth?.target)) return;
      initialBitrate.restore();
      kept = MEDIA_TYPES;
    },
    keep() {
      if (rules.keep())
        attachment.warnings.warn('settings-overridden', "other code changed Sammy's settings");
    },
    allowReplacing(isAllowed) {
      if (isAllowed) fastSwitch.restore();
      // dash.js's fast switch replaces buffered segments on every switch up.
      else fastSwitch.setOnce({ 'streaming.buffer.fastSwitchEnabled': false });
    },
    apply() {
      fastSwitch.restore();
      if (!attachment.currentSession.core.choosesRungs) {
        restore();
        return;
      }
      // Set these once, because dash.js 5 adds all custom rules again whenever the setting of a rule is written.
      rules.setOnce({
        ...Object.fromEntries(competing.map((path) => [path, false])),
        // Off, because dash.js would store the throughput of paced downloads.
        'streaming.lastBitrateCachingInfo.enabled': false,
        // The time in ms after an abandonment in which dash.js does not switch up. With its default of 10 s, dash.js
        // would fill the buffer with a low rung. Sammy chooses again after the replacement, and takes the abandoned
        // download into account.
        'streaming.abandonLoadTimeout': 0,
      });
      initialBitrate.restore();
      // Keep values that the application has set. In dash.js, -1 means "not set".
      kept = MEDIA_TYPES.filter(
        (type) => readSetting(player, `${INITIAL_BITRATE}.${type}`) !== -1 || isStartSet(type),
      );
      if (!kept.includes('video')) {
        const chosen_kbps =
          attachment.guarded(() => chooseInitialBitrate(attachment.currentSession.core)) ?? 1;
        initialBitrate.setOnce({ [`${INITIAL_BITRATE}.video`]: Math.max(1, Math.round(chosen_kbps)) });
      }
    },
  };
}
