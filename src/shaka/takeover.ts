import type { MediaType } from '../film/media-type.ts';
import type { AbrManager, ShakaPlayer, Variant } from './player.ts';
import type { ShakaAttachment } from './session.ts';

/** The choices of Shaka that Sammy makes. */
export interface Takeover {
  /** Makes Shaka switch to the variant for the next segment of a media type, or of both. No download may be in flight. */
  choose(mediaType?: MediaType): void;
  /** Makes Shaka abort a download, and repeat it with this variant. */
  replace(variant: Variant): void;
  /** Called when a download has ended. */
  downloadEnded(): void;
  restore(): void;
}

type Given = Parameters<AbrManager['setVariants']>;

const FACTORY = 'abrFactory';
/** A throughput sample of this length, ms, outweighs all others in Shaka's estimate, whose half-lives are 2 and 5 s. */
const LONG_SAMPLE_MS = 60_000;

/**
 * Makes the choices of Shaka's AbrManager Sammy's, by methods of the manager's own object; without those, its class's are there
 * again. It may be Shaka's own manager or one of the application. It still tells which variants its restrictions allow, and when
 * the application has disabled switches.
 */
export function takeOver(
  player: ShakaPlayer,
  attachment: ShakaAttachment,
  downloaded: AbrManager['segmentDownloaded'],
): Takeover {
  const before = player.getConfiguration().abrFactory;
  const managers = new Set<AbrManager>();
  let latest: AbrManager | undefined;
  let own: Pick<AbrManager, 'trySuggestStreams'> | undefined;
  /** The estimate that the manager is to go by, bit/s, whatever has been measured. */
  let assumed: number | undefined;
  let replacement: Variant | undefined;
  let chosenType: MediaType | undefined;
  const core = () => attachment.currentSession.core;

  /** Throughput of the network, bit/s, where Shaka has seen that of paces. */
  const estimate = (): number | undefined =>
    attachment.guarded(() => {
      const known_kbps = core().options.pacing
        ? core().estimate(core().hasRequested('video') ? 'video' : 'audio')
        : undefined;
      return known_kbps === undefined ? undefined : known_kbps * 1000;
    });

  const override = (manager: AbrManager): AbrManager => {
    if (managers.has(manager)) return manager;
    managers.add(manager);
    const { setVariants, chooseVariant, segmentDownloaded, trySuggestStreams, getBandwidthEstimate } =
      manager;
    let given: readonly Variant[] = [];
    let isLowLatency = false;
    const chooseAt = (rate: number) => {
      assumed = rate;
      try {
        return chooseVariant.call(manager);
      } finally {
        assumed = undefined;
      }
    };
    latest = manager;
    own = { trySuggestStreams: () => trySuggestStreams.call(manager) };
    return Object.assign(manager, {
      setVariants(...variants: Given) {
        [given, isLowLatency] = variants;
        attachment.currentSession.choice = { variants: given, isLowLatency };
        return setVariants.call(manager, ...variants);
      },
      chooseVariant(preferFastSwitching?: boolean) {
        if (replacement) return replacement;
        const ownChoice = chooseVariant.call(manager, preferFastSwitching);
        return (
          attachment.guarded(() => {
            // The restrictions of the application and of the element's size are the manager's.
            const [lowest, highest] = [chooseAt(0).bandwidth, chooseAt(Infinity).bandwidth];
            const variants = given.filter(({ bandwidth }) => bandwidth >= lowest && bandwidth <= highest);
            attachment.currentSession.choice = { variants, isLowLatency };
            return attachment.currentSession.chooseVariant(ownChoice, chosenType);
          }) ?? ownChoice
        );
      },
      segmentDownloaded(...download: Parameters<AbrManager['segmentDownloaded']>) {
        downloaded(...download);
        const [duration_ms, size_bytes, allowSwitch, ...rest] = download;
        // A switch before the segment's end would abort it.
        segmentDownloaded.call(
          manager,
          duration_ms,
          size_bytes,
          allowSwitch && !core().choosesRungs,
          ...rest,
        );
      },
      trySuggestStreams() {
        if (!core().choosesRungs) trySuggestStreams.call(manager);
      },
      getBandwidthEstimate: () => assumed ?? estimate() ?? getBandwidthEstimate.call(manager),
    } satisfies Partial<AbrManager>);
  };

  const factory = () => override(before());
  install(player, before, factory, override);
  return {
    choose(mediaType) {
      if (!core().choosesRungs) return;
      chosenType = mediaType;
      own?.trySuggestStreams();
      chosenType = undefined;
    },
    replace(variant) {
      replacement = variant;
      // By the estimate, Shaka decides whether it aborts the download.
      assumed = Infinity;
      own?.trySuggestStreams();
      replacement = undefined;
    },
    downloadEnded() {
      assumed = undefined;
    },
    restore() {
      const known = estimate();
      for (const manager of managers) for (const name of OVERRIDDEN) Reflect.deleteProperty(manager, name);
      // Shaka has measured paced downloads.
      if (known !== undefined)
        latest?.segmentDownloaded(LONG_SAMPLE_MS, (known * LONG_SAMPLE_MS) / 8000, false);
      if (player.getConfiguration().abrFactory === factory) player.configure(FACTORY, before);
    },
  };
}

const OVERRIDDEN = [
  'setVariants',
  'chooseVariant',
  'segmentDownloaded',
  'trySuggestStreams',
  'getBandwidthEstimate',
];

/**
 * Sets the factory, which Shaka calls at the next `load`. If a source is loaded, Shaka tells its present manager the variants
 * whenever it is configured; `override` is called with that manager.
 */
function install(
  player: ShakaPlayer,
  before: () => AbrManager,
  factory: () => AbrManager,
  override: (manager: AbrManager) => AbrManager,
): void {
  const any = before();
  any.release();
  const prototype = Object.getPrototypeOf(any) as AbrManager;
  const { setVariants } = prototype;
  let present: { readonly manager: AbrManager; readonly given: Given } | undefined;
  prototype.setVariants = function (this: AbrManager, ...given) {
    present = { manager: this, given };
    return setVariants.call(this, ...given);
  };
  try {
    player.configure(FACTORY, factory);
  } finally {
    prototype.setVariants = setVariants;
  }
  if (present) override(present.manager).setVariants(...present.given);
}
