import { attempt } from '../attempt.ts';
import type { MediaType } from '../film/media-type.ts';
import type { AbrManager, ShakaPlayer, Variant } from './player.ts';
import type { ShakaAttachment } from './session.ts';

type Variants = Parameters<AbrManager['setVariants']>;
type Download = Parameters<AbrManager['segmentDownloaded']>;

const FACTORY = 'abrFactory';
/** A throughput sample of this length, ms, outweighs all others in Shaka's estimate, whose half-lives are 2 and 5 s. */
const LONG_SAMPLE_MS = 60_000;

/** The methods of a manager that Sammy overrides. */
type Overridden = Pick<
  AbrManager,
  'setVariants' | 'chooseVariant' | 'segmentDownloaded' | 'trySuggestStreams' | 'getBandwidthEstimate'
>;

/** The methods before Sammy, and the names of those that the manager inherits from its class. */
interface OwnMethods extends Overridden {
  readonly inherited: readonly string[];
}

/**
 * Lets Sammy choose instead of Shaka's AbrManager, by overriding five methods on the manager object. The manager may be Shaka's or
 * the application's. Its own `chooseVariant` is still called to learn which variants its restrictions allow, and its own
 * `trySuggestStreams` to switch, which does nothing while the application has disabled switches.
 */
export class Takeover {
  readonly #player: ShakaPlayer;
  readonly #attachment: ShakaAttachment;
  /** The factory that was set when Sammy was attached. */
  readonly #first: () => AbrManager;
  /** The factory that other code has set last. */
  #before: () => AbrManager;
  /** Sammy's factory, which wraps `#before`. */
  #factory: () => AbrManager;
  /** Whether the application's factory is running. If it wraps the factory that it found, it calls Sammy's. */
  #isMaking = false;
  #isRestored = false;
  /** All managers so far, from the oldest, with their methods from before Sammy. */
  readonly #managers = new Map<AbrManager, OwnMethods>();
  /** The throughput that the manager should assume, bit/s; undefined: its own estimate. */
  #assumed: number | undefined;
  #replacement: Variant | undefined;
  #mediaType: MediaType | undefined;

  constructor(player: ShakaPlayer, attachment: ShakaAttachment) {
    this.#player = player;
    this.#attachment = attachment;
    this.#first = this.#before = player.getConfiguration().abrFactory;
    this.#factory = this.#newFactory();
    this.#install();
  }

  /** Each call returns a new function, because Shaka creates another manager only if the factory is another function. */
  #newFactory(): () => AbrManager {
    return () => {
      if (this.#isRestored || this.#isMaking) return this.#first();
      this.#isMaking = true;
      try {
        return this.#override(this.#before());
      } finally {
        this.#isMaking = false;
      }
    };
  }

  /** Sets Sammy's factory again, with a warning, if other code has replaced it. Call this before each `load`. */
  keep(): void {
    const { abrFactory } = this.#player.getConfiguration();
    if (abrFactory === this.#factory) return;
    this.#attachment.warnings.warn('settings-overridden', 'settings that Sammy overrides were set');
    this.#before = abrFactory;
    this.#factory = this.#newFactory();
    this.#player.configure(FACTORY, this.#factory);
  }

  /** Makes Shaka switch to the variant for the next segment of a media type, or of both. It aborts their downloads in flight. */
  choose(mediaType?: MediaType): void {
    if (!this.#core.choosesRungs) return;
    this.#mediaType = mediaType;
    this.#suggest();
    this.#mediaType = undefined;
  }

  /** Makes Shaka abort the download in flight, and request the segment again with this variant. */
  replace(variant: Variant): void {
    this.#replacement = variant;
    // Shaka decides by its estimate whether to abort, possibly after loading a segment index.
    this.#assumed = Infinity;
    this.#suggest();
    this.#replacement = undefined;
  }

  downloadEnded(): void {
    this.#assumed = undefined;
  }

  restore(): void {
    const known = this.#estimate();
    this.#isRestored = true;
    for (const [manager, { inherited, ...own }] of this.#managers) {
      Object.assign(manager, own);
      for (const name of inherited) Reflect.deleteProperty(manager, name);
    }
    // Shaka has measured paced downloads.
    if (known !== undefined)
      this.#latest?.[0].segmentDownloaded(LONG_SAMPLE_MS, (known * LONG_SAMPLE_MS) / 8000, false);
    if (this.#player.getConfiguration().abrFactory === this.#factory)
      this.#player.configure(FACTORY, this.#before);
  }

  get #core() {
    return this.#attachment.currentSession.core;
  }

  get #latest(): readonly [AbrManager, OwnMethods] | undefined {
    return [...this.#managers].at(-1);
  }

  #suggest(): void {
    const [manager, own] = this.#latest ?? [];
    own?.trySuggestStreams.call(manager);
  }

  /** Throughput of the network, bit/s. Shaka's own estimate has only seen paced downloads. */
  #estimate(): number | undefined {
    return this.#attachment.guarded(() => {
      const core = this.#core;
      const known_kbps = core.options.pacing
        ? core.estimate(core.hasRequested('video') ? 'video' : 'audio')
        : undefined;
      return known_kbps === undefined ? undefined : known_kbps * 1000;
    });
  }

  #override(manager: AbrManager): AbrManager {
    if (this.#managers.has(manager)) return manager;
    const { setVariants, chooseVariant, segmentDownloaded, trySuggestStreams, getBandwidthEstimate } =
      manager;
    const own = { setVariants, chooseVariant, segmentDownloaded, trySuggestStreams, getBandwidthEstimate };
    const inherited = Object.keys(own).filter((name) => !Object.hasOwn(manager, name));
    this.#managers.set(manager, { ...own, inherited });
    let given: Variants = [[], false];
    const overriding: Overridden = {
      setVariants: (...variants) => {
        given = variants;
        this.#setChoice(...variants);
        return setVariants.call(manager, ...variants);
      },
      chooseVariant: (preferFastSwitching) => {
        if (this.#replacement) return this.#replacement;
        const ownChoice = chooseVariant.call(manager, preferFastSwitching);
        return this.#chooseAmong(given, ownChoice, () => chooseVariant.call(manager)) ?? ownChoice;
      },
      segmentDownloaded: (...download) => this.#downloaded(manager, own, download),
      trySuggestStreams: () => {
        if (!this.#core.choosesRungs) trySuggestStreams.call(manager);
      },
      getBandwidthEstimate: () => this.#assumed ?? this.#estimate() ?? getBandwidthEstimate.call(manager),
    };
    return Object.assign(manager, overriding);
  }

  #setChoice(...[variants, isLowLatency]: Variants): void {
    this.#attachment.currentSession.choice = { variants, isLowLatency };
  }

  #chooseAmong(
    [given, isLowLatency]: Variants,
    ownChoice: Variant,
    chooseOwn: () => Variant,
  ): Variant | undefined {
    /** The bandwidth of the variant that the manager chooses at a throughput, within all restrictions. */
    const bandwidthAt = (rate: number): number => {
      this.#assumed = rate;
      const { bandwidth } = chooseOwn();
      this.#assumed = undefined;
      return bandwidth;
    };
    return this.#attachment.guarded(() => {
      const [lowest, highest] = [bandwidthAt(0), bandwidthAt(Infinity)];
      const allowed = given.filter(({ bandwidth }) => bandwidth >= lowest && bandwidth <= highest);
      this.#setChoice(allowed, isLowLatency);
      return this.#attachment.currentSession.chooseVariant(ownChoice, this.#mediaType);
    });
  }

  #downloaded(manager: AbrManager, own: Overridden, download: Download): void {
    const [duration_ms, size_bytes, allowSwitch, request, context] = download;
    this.#attachment.currentSession.received(request, size_bytes);
    // Sammy chooses at the end of the segment. A switch now would abort the download.
    const mayChoose = allowSwitch && !this.#core.choosesRungs;
    own.segmentDownloaded.call(manager, duration_ms, size_bytes, mayChoose, request, context);
  }

  /**
   * Sets the factory, which Shaka calls at the next `load`. If a source is loaded already, also finds its manager: `configure` makes
   * Shaka call the manager's `setVariants`, which is overridden on the prototype meanwhile.
   */
  #install(): void {
    const isLoaded = this.#player.getAssetUri() !== null;
    const other = isLoaded ? this.#before() : undefined;
    const { prototype } = (other?.constructor ?? {}) as { readonly prototype?: AbrManager };
    const setVariants = prototype?.setVariants;
    let found: [manager: AbrManager, given: Variants] | undefined;
    if (setVariants)
      prototype.setVariants = function (this: AbrManager, ...given) {
        found = [this, given];
        return setVariants.call(this, ...given);
      };
    try {
      this.#player.configure(FACTORY, this.#factory);
    } finally {
      if (setVariants) prototype.setVariants = setVariants;
    }
    // The factory may always return the same manager.
    if (other !== found?.[0]) attempt(() => other?.release());
    if (found) this.#override(found[0]).setVariants(...found[1]);
  }
}
