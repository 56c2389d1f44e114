import type {
  AbrManager,
  RequestContext,
  RequestFilter,
  ResponseFilter,
  SegmentReference,
  ShakaConfig,
  ShakaPlayer,
  ShakaRequest,
  ShakaResponse,
  Stream,
  Variant,
} from '../player.ts';

let nextId = 1;

/** Some members of an object of Shaka. Their values need only the members that the adapter uses. */
type Some<Type> = Partial<Record<keyof Type, unknown>>;

export const stream = (type: 'video' | 'audio', originalId: string, more: Some<Stream> = {}): Stream =>
  ({ ...{ id: nextId++, type, originalId, segmentIndex: null }, ...more }) as Stream;

/** A variant in DASH. Its bandwidth is the sum of the bandwidths of its streams. */
export const variant = (video: Stream | null, audio: Stream | null = null): Variant =>
  ({ ...{ video, audio }, bandwidth: (video?.bandwidth ?? 0) + (audio?.bandwidth ?? 0) }) as Variant;

export const segment = (more: Partial<Record<keyof SegmentReference, unknown>> = {}): SegmentReference => {
  const values = {
    getStartTime: 0,
    getEndTime: 4,
    getStartByte: 0,
    getEndByte: null,
    isPartial: false,
    ...more,
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, () => value]),
  ) as unknown as SegmentReference;
};

export const segmentIndex = (evicted: number, references: readonly SegmentReference[]) => ({
  getNumEvicted: () => evicted,
  getNumReferences: () => references.length,
  get: (position: number) => references[position - evicted] ?? null,
});

/** Shaka's default for `bandwidthDowngradeTarget`. */
const DOWNGRADE_TARGET = 0.95;

/** The parts of Shaka's own manager that the adapter uses (`lib/abr/simple_abr_manager.js`). */
export class OwnManager implements AbrManager {
  variants: readonly Variant[] = [];
  estimate = 1_000_000;
  isEnabled = true;
  /** Whether the application's restrictions allow a variant. */
  isAllowed: (variant: Variant) => boolean = () => true;
  isInitialized = false;
  isReleased = false;
  switchedTo: Variant | undefined;
  samples = 0;

  init(): void {
    this.isInitialized = true;
  }
  setVariants(variants: readonly Variant[]): boolean {
    this.variants = variants;
    return true;
  }
  chooseVariant(): Variant {
    const [lowest, ...others] = this.variants.filter(this.isAllowed);
    if (!lowest) throw new Error('no variants');
    return others.reduce(
      (chosen, each) => (each.bandwidth / DOWNGRADE_TARGET <= this.getBandwidthEstimate() ? each : chosen),
      lowest,
    );
  }
  segmentDownloaded(duration_ms: number, size_bytes: number, allowSwitch: boolean): void {
    this.samples++;
    this.estimate = (8000 * size_bytes) / duration_ms;
    if (allowSwitch) this.#suggest();
  }
  trySuggestStreams(): void {
    if (this.isEnabled) this.#suggest();
  }
  getBandwidthEstimate(): number {
    return this.estimate;
  }
  release(): void {
    this.isReleased = true;
  }
  #suggest(): void {
    this.switchedTo = this.chooseVariant();
  }
}

/** A media element. It is initially paused. */
class FakeElement {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly currentTime = 0;
  readonly paused = true;
  readonly buffered = { length: 0 };
  addEventListener(type: string, listener: () => void): void {
    this.#listeners.set(type, (this.#listeners.get(type) ?? new Set()).add(listener));
  }
  removeEventListener(type: string, listener: () => void): void {
    this.#listeners.get(type)?.delete(listener);
  }
  fire(type: string): void {
    for (const listener of this.#listeners.get(type) ?? []) listener();
  }
}

/** The parts of Shaka Player that the adapter uses. */
export class FakePlayer {
  static readonly version: string = 'v5.2.12';
  config = {
    abrFactory: () => new OwnManager(),
    abr: { enabled: true, bandwidthDowngradeTarget: DOWNGRADE_TARGET },
    streaming: { bufferingGoal: 10, rebufferingGoal: 0 },
  };
  readonly requestFilters = new Set<RequestFilter>();
  readonly responseFilters = new Set<ResponseFilter>();
  readonly listeners = new Map<string, Set<(event: never) => void>>();
  variants: readonly Variant[];
  /** The manager of the source that is loaded. */
  manager: OwnManager | undefined;
  isLowLatency = false;
  /** Sets the end of the buffered range, which begins at 0. */
  set buffered_s(end: number) {
    this.buffered = [{ start: 0, end }];
  }
  buffered = [{ start: 0, end: 20 }];
  isLiveStream = false;
  liveLatency_s = NaN;
  /** Requests that were sent through the networking engine. */
  readonly requested: object[] = [];
  #factory: unknown;

  constructor(variants: readonly Variant[]) {
    this.variants = variants;
  }

  /** The same object, with the type that the adapter uses. */
  get player(): ShakaPlayer {
    return this as never;
  }

  configure(path: string, value: unknown): boolean {
    const [name = '', ...rest] = path.split('.');
    if (rest[0]) Object.assign(this.config[name as 'abr'], { [rest[0]]: value });
    else Object.assign(this.config, { [name]: value });
    // Like Shaka's `applyConfig_`.
    this.manager?.setVariants(this.variants);
    return true;
  }
  getConfiguration(): ShakaConfig {
    return { ...this.config, abr: { ...this.config.abr } } as unknown as ShakaConfig;
  }
  getNetworkingEngine() {
    return {
      registerRequestFilter: (filter: RequestFilter) => this.requestFilters.add(filter),
      unregisterRequestFilter: (filter: RequestFilter) => this.requestFilters.delete(filter),
      registerResponseFilter: (filter: ResponseFilter) => this.responseFilters.add(filter),
      unregisterResponseFilter: (filter: ResponseFilter) => this.responseFilters.delete(filter),
      request: (type: number, request: ShakaRequest, context?: RequestContext) => {
        this.requested.push(request);
        const { uris, headers, retryParameters } = request;
        const originalRequest = {
          ...request,
          ...{
            uris: [...uris],
            headers: { ...headers },
            retryParameters: { ...retryParameters },
            attempt: 0,
          },
        };
        for (const filter of this.requestFilters) void filter(type, originalRequest, context);
        const response = {
          uri: '',
          data: new Uint8Array(9),
          headers: {},
          originalRequest,
        } as unknown as ShakaResponse;
        return { promise: this.filter(response, context) };
      },
    };
  }
  readonly element = new FakeElement();
  getMediaElement = () => this.element;
  getAssetUri = () => (this.manager ? 'https://edge.example/manifest.mpd' : null);
  getBufferedInfo() {
    return { video: this.buffered, audio: this.buffered };
  }
  getPlaybackRate = () => 1;
  isLive = () => this.isLiveStream;
  getStats = () => ({ liveLatency: this.liveLatency_s });
  addEventListener(type: string, listener: (event: never) => void): void {
    this.listeners.set(type, (this.listeners.get(type) ?? new Set()).add(listener));
  }
  removeEventListener(type: string, listener: (event: never) => void): void {
    this.listeners.get(type)?.delete(listener);
  }

  fire(type: string, event: object = {}): void {
    for (const listener of this.listeners.get(type) ?? []) listener(event as never);
  }
  count = () => [...this.listeners.values()].reduce((sum, { size }) => sum + size, 0);

  /** Loads a source, and returns the first variant to play. */
  load(): Variant {
    if (this.manager) this.fire('unloading');
    this.fire('loading');
    if (!this.manager || this.#factory !== this.config.abrFactory) {
      this.#factory = this.config.abrFactory;
      this.manager = this.config.abrFactory();
    }
    this.manager.init();
    (this.manager as AbrManager).setVariants([...this.variants], this.isLowLatency);
    return this.manager.chooseVariant();
  }

  /** Applies the response filters to a response. */
  async filter(response: ShakaResponse, context?: RequestContext): Promise<ShakaResponse> {
    for (const filter of [...this.responseFilters]) await filter(1, response, context);
    return response;
  }

  /** Preloads another source: returns the first variant that a new manager chooses. */
  preload(variants: readonly Variant[]): Variant {
    const manager = this.config.abrFactory();
    (manager as AbrManager).setVariants([...variants], false);
    return manager.chooseVariant();
  }

  /** Sends an attempt of a request for a segment, and returns its URL. */
  send(request: ShakaRequest, context: RequestContext): string {
    for (const filter of this.requestFilters) void filter(1, request, context);
    return decodeURIComponent(request.uris[request.attempt % request.uris.length] ?? '');
  }
}

export const makeRequest = (more: Partial<ShakaRequest> = {}): ShakaRequest =>
  ({
    ...{ uris: ['https://edge.example/1.m4s'], headers: {}, attempt: 0 },
    // Shaka's own defaults.
    retryParameters: {
      ...{ maxAttempts: 2, baseDelay: 1000, fuzzFactor: 0.5 },
      ...{ timeout: 30_000, connectionTimeout: 10_000, stallTimeout: 5000 },
    },
    ...more,
  }) as ShakaRequest;
