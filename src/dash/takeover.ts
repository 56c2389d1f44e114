import type { DashAttachment } from './session.ts';
import { createOverride } from './override.ts';
import type { DashPlayer } from './player.ts';
import { readSetting } from './settings.ts';

const MEDIA_TYPES: readonly string[] = ['video', 'audio'];
/** Switches off dash.js's fast switch, which replaces buffered segments on every switch up. */
const NO_FAST_SWITCH = { 'streaming.buffer.fastSwitchEnabled': false };
const INITIAL_BITRATE = 'streaming.abr.initialBitrate';

/** The dash.js settings that Sammy overrides while it chooses the rungs. */
export interface Takeover {
  /** Overrides the settings, or restores them if dash.js chooses the rungs. Call it again when that changes. */
  apply(): void;
  /** Overrides the settings again, with a warning, if other code has changed any. Call it with every choice. */
  keep(): void;
  /** Whether the application or the manifest sets the start of a media type. No rule then chooses its first segment. */
  keepsStart(mediaType: string): boolean;
  /** Allows dash.js to replace buffered segments on a switch up, or not, until the next call of `apply` or `restore`. */
  allowReplacing(isAllowed: boolean): void;
  /** Call it with each manifest that dash.js has loaded. */
  readonly readManifest: (event: { readonly data?: ManifestLike }) => void;
  restore(): void;
}

/** The part of a parsed manifest that is read. A single `ServiceDescription` is a list in dash.js 5 and an object in 4.7. */
interface ManifestLike {
  readonly ServiceDescription?: ServiceDescriptionLike | readonly ServiceDescriptionLike[];
}
interface ServiceDescriptionLike {
  readonly OperatingBandwidth?: { readonly target?: unknown };
}

/**
 * Prepares the override of dash.js's settings. `competing` are the settings that enable this version's own rules.
 * `isStartSet` reads further settings of this version for the start of a media type, besides the initial bitrate.
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
        attachment.warnings.warn('settings-overridden', 'settings that Sammy overrides were set');
    },
    allowReplacing(isAllowed) {
      if (isAllowed) fastSwitch.restore();
      else fastSwitch.setOnce(NO_FAST_SWITCH);
    },
    apply() {
      fastSwitch.restore();
      if (!attachment.currentSession.core.choosesRungs) {
        restore();
        return;
      }
      // Only once, because dash.js 5 adds all custom rules again whenever the setting of a rule is written.
      rules.setOnce({
        ...Object.fromEntries(competing.map((path) => [path, false])),
        // dash.js would store throughput of the playing phase, which the pace limits.
        'streaming.lastBitrateCachingInfo.enabled': false,
        // Time in ms after an abandonment in which dash.js does not switch up. Its default of 10 s would fill the buffer with a low
        // rung. Sammy, which is asked again after the replacement, takes the abandoned download into account.
        'streaming.abandonLoadTimeout': 0,
      });
      initialBitrate.restore();
      // -1 means "not set" in dash.js. Values set by the application are kept.
      kept = MEDIA_TYPES.filter(
        (type) => readSetting(player, `${INITIAL_BITRATE}.${type}`) !== -1 || isStartSet(type),
      );
      if (!kept.includes('video')) {
        const chosen_kbps = attachment.guarded(() => attachment.currentSession.core.initialBitrate) ?? 1;
        initialBitrate.setOnce({ [`${INITIAL_BITRATE}.video`]: Math.max(1, Math.round(chosen_kbps)) });
      }
    },
  };
}
