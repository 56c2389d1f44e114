import { attempt } from '../attempt.ts';
import type { MediaType } from '../film/media-type.ts';
import { readNetworkEstimate } from '../host/network-estimate.ts';
import { overrideMethods } from '../host/override-properties.ts';
import type { AbrManager, ShakaPlayer, ShakaRequest, Variant } from './player.ts';
import type { Choice, InFlight, ShakaAttachment } from './session.ts';

type Factory = () => AbrManager;
const FACTORY = 'abrFactory';
/**
 * The duration, ms, of a throughput sample that outweighs all others in Shaka's estimate. The half-lives of the
 * estimate are 2 and 5 s.
 */
const LONG_SAMPLE_MS = 60_000;

/** Parameters of a call of the manager. The overridden methods read these parameters. */
interface Call {
  /** The throughput that the manager should assume, bit/s. */
  readonly throughput?: number;
  /** The only media type that may change. */
  readonly mediaType?: MediaType | undefined;
  /** The variant to choose. */
  readonly replacement?: Variant;
}

/** A manager whose methods are overridden. */
interface Overridden {
  /** The manager's original `trySuggestStreams`. */
  readonly suggest: () => void;
  readonly giveBack: () => void;
}

/**
 * Lets Sammy choose instead of Shaka's AbrManager, by overriding methods on the manager object. The manager may be
 * Shaka's or the application's. The original `chooseVariant` is still called, to find out which variants the
 * restrictions allow. The original `trySuggestStreams` is called to switch; it does nothing while the application has
 * disabled switches.
 */
export class Takeover {
  readonly #player: ShakaPlayer;
  readonly #attachment: ShakaAttachment;
  readonly #inFlight: InFlight;
  /** The factory that was set when Sammy was attached. */
  readonly #firstFactory: Factory;
  /** The latest factory that other code has set. */
  #otherFactory: Factory;
  /** Sammy's factory, which wraps `#otherFactory`. */
  #factory: Factory;
  /**
   * Whether the application's factory is running. It may call Sammy's factory, which must not call the application's
   * factory again.
   */
  #isMaking = false;
  #isRestored = false;
  /** All managers so far. */
  readonly #managers = new Map<AbrManager, Overridden>();
  /** The manager of the loaded source. Managers of preloaded sources make their own choices. */
  #current: AbrManager | undefined;
  #call: Call = {};
  /** The request that Shaka should abort. */
  #replaced: ShakaRequest | undefined;

  constructor(player: ShakaPlayer, attachment: ShakaAttachment, inFlight: InFlight) {
    this.#player = player;
    this.#attachment = attachment;
    this.#inFlight = inFlight;
    this.#firstFactory = this.#otherFactory = player.getConfiguration().abrFactory;
    this.#factory = this.#newFactory();
    this.#install();
  }

  /** Returns a new factory function. Shaka creates a new manager only if the factory is a different function. */
  #newFactory(): Factory {
    return () => {
      if (this.#isRestored || this.#isMaking) return this.#firstFactory();
      this.#isMaking = true;
      try {
        return this.#override(this.#otherFactory());
      } finally {
        this.#isMaking = false;
      }
    };
  }

  /**
   * Sets Sammy's factory again, with a warning, if other code has replaced the factory. Call this before each `load`.
   */
  keep(): void {
    const { abrFactory } = this.#player.getConfiguration();
    if (abrFactory === this.#factory) return;
    this.#attachment.warnings.warn('settings-overridden', "other code changed Sammy's settings");
    this.#otherFactory = abrFactory;
    this.#factory = this.#newFactory();
    this.#player.configure(FACTORY, this.#factory);
  }

  /**
   * Makes Shaka switch to Sammy's variant for the next segment of a media type, or of both types. Shaka then aborts
   * their downloads in flight.
   */
  choose(mediaType?: MediaType): void {
    if (this.#core.choosesRungs) this.#suggest({ mediaType });
  }

  /** Makes Shaka abort a request in flight, and request the segment again in `variant`. */
  replace(request: ShakaRequest, variant: Variant): void {
    this.#replaced = request;
    this.#suggest({ replacement: variant });
  }

  requestEnded(request: ShakaRequest): void {
    if (this.#replaced === request) this.#replaced = undefined;
  }

  restore(): void {
    const estimate = readNetworkEstimate(this.#attachment);
    this.#isRestored = true;
    for (const { giveBack } of this.#managers.values()) giveBack();
    // Correct Shaka's estimate, which is based on paced downloads.
    if (estimate !== undefined)
      this.#current?.segmentDownloaded(LONG_SAMPLE_MS, (estimate * LONG_SAMPLE_MS) / 8000, false);
    if (this.#player.getConfiguration().abrFactory === this.#factory)
      this.#player.configure(FACTORY, this.#otherFactory);
  }

  get #core() {
    return this.#attachment.currentSession.core;
  }

  #suggest(call: Call): void {
    this.#during(call, () => this.#current && this.#managers.get(this.#current)?.suggest());
  }

  #during<T>(call: Call, action: () => T): T {
    const outer = this.#call;
    this.#call = call;
    try {
      return action();
    } finally {
      this.#call = outer;
    }
  }

  #override(manager: AbrManager): AbrManager {
    if (this.#managers.has(manager)) return manager;
    // The manager's original methods.
    const { init, setVariants, chooseVariant, segmentDownloaded, trySuggestStreams, getBandwidthEstimate } =
      manager;
    let offered: Choice = { variants: [], isLowLatency: false };
    const chooseAt = (throughput: number) => this.#during({ throughput }, () => chooseVariant.call(manager));
    const methods: Partial<AbrManager> = {
      init: (...callbacks) => {
        this.#current = manager;
        init.call(manager, ...callbacks);
      },
      setVariants: (variants, isLowLatency) => {
        offered = { variants, isLowLatency };
        if (manager === this.#current) this.#attachment.currentSession.choice = offered;
        return setVariants.call(manager, variants, isLowLatency);
      },
      chooseVariant: (preferFastSwitching) => {
        if (this.#call.replacement) return this.#call.replacement;
        const ownChoice = chooseVariant.call(manager, preferFastSwitching);
        const isCurrent = manager === this.#current;
        return (isCurrent ? this.#chooseAmong(offered, ownChoice, chooseAt) : undefined) ?? ownChoice;
      },
      segmentDownloaded: (duration_ms, size_bytes, allowSwitch, request, context) => {
        const { media } = (request && this.#inFlight.get(request)) ?? {};
        if (media) media.loaded += size_bytes;
        // Do not let Shaka switch now, which would abort the download: Sammy chooses at the end of the segment.
        const mayChoose = allowSwitch && !this.#core.choosesRungs;
        segmentDownloaded.call(manager, duration_ms, size_bytes, mayChoose, request, context);
      },
      trySuggestStreams: () => {
        if (!this.#core.choosesRungs) trySuggestStreams.call(manager);
      },
      getBandwidthEstimate: () =>
        this.#call.throughput ??
        // While a replacement of a request is pending, report infinite throughput, because Shaka decides by the
        // estimate whether to abort the request, possibly after loading a segment index.
        (this.#replaced && manager === this.#current ? Infinity : readNetworkEstimate(this.#attachment)) ??
        getBandwidthEstimate.call(manager),
    };
    this.#managers.set(manager, {
      suggest: () => trySuggestStreams.call(manager),
      giveBack: overrideMethods(manager, methods),
    });
    return manager;
  }

  #chooseAmong(
    { variants, isLowLatency }: Choice,
    ownChoice: Variant,
    chooseAt: (throughput: number) => Variant,
  ): Variant | undefined {
    return this.#attachment.guarded(() => {
      const { bandwidthDowngradeTarget } = this.#player.getConfiguration().abr;
      const rate = Math.abs(this.#player.getPlaybackRate()) || 1;
      // Find the variants that the restrictions allow: the manager chooses each of them at the lowest throughput that
      // suffices.
      const needed = variants.map(({ bandwidth }) => (rate * bandwidth) / bandwidthDowngradeTarget);
      const allowed = new Set([0, ...needed, Infinity].map(chooseAt));
      const { currentSession: session } = this.#attachment;
      session.choice = { variants: variants.filter((each) => allowed.has(each)), isLowLatency };
      return session.chooseVariant(ownChoice, this.#call.mediaType);
    });
  }

  /**
   * Sets the factory, which Shaka calls at the next `load`. If a source is already loaded, also finds its manager:
   * `configure` makes Shaka call the manager's `setVariants`, which is temporarily overridden on the prototype.
   */
  #install(): void {
    const isLoaded = this.#player.getAssetUri() !== null;
    const other = isLoaded ? this.#otherFactory() : undefined;
    const { prototype } = (other?.constructor ?? {}) as { readonly prototype?: AbrManager };
    const setVariants = prototype?.setVariants;
    let found: readonly [manager: AbrManager, ...offered: Parameters<AbrManager['setVariants']>] | undefined;
    if (setVariants)
      prototype.setVariants = function (this: AbrManager, ...offered) {
        found = [this, ...offered];
        return setVariants.call(this, ...offered);
      };
    try {
      this.#player.configure(FACTORY, this.#factory);
    } finally {
      if (setVariants) prototype.setVariants = setVariants;
    }
    // Do not release the found manager: the factory may always return the same manager.
    if (other !== found?.[0]) attempt(() => other?.release());
    if (!found) return;
    const [manager, ...offered] = found;
    this.#current = this.#override(manager);
    manager.setVariants(...offered);
  }
}
