import type { MediaType } from '../film/media-type.ts';
import type { ShakaLike } from './shaka-like.ts';

/**
 * The part of Shaka Player that the adapter uses. All of it is public, and described in Shaka's `externs`. Declared
 * here, so that the plug-in compiles without Shaka's type declarations.
 */
export interface ShakaPlayer extends ShakaLike {
  configure(path: string, value: unknown): boolean;
  getConfiguration(): ShakaConfig;
  getNetworkingEngine(): NetworkingEngine | null;
  getMediaElement(): HTMLMediaElement | null;
  getAssetUri(): string | null;
  getBufferedInfo(): Readonly<Record<MediaType, readonly { readonly start: number; readonly end: number }[]>>;
  getPlaybackRate(): number;
  isLive(): boolean;
  getStats(): { readonly liveLatency: number };
  addEventListener(type: string, listener: (event: never) => void): void;
  removeEventListener(type: string, listener: (event: never) => void): void;
}

/** Times are in seconds. */
export interface ShakaConfig {
  readonly abrFactory: () => AbrManager;
  readonly abr: {
    readonly enabled: boolean;
    /** The largest bitrate of a variant, as a share of the throughput. */
    readonly bandwidthDowngradeTarget: number;
  };
  readonly streaming: { readonly bufferingGoal: number; readonly rebufferingGoal: number };
}

/** Shaka's AbrManager. A player uses one manager for all sources, until the application sets another `abrFactory`. */
export interface AbrManager {
  /** Called when the manager's source is about to play. Not called for a source that is only preloaded. */
  init: (...callbacks: [changeVariant: (variant: Variant) => void, ...others: object[]]) => void;
  setVariants: (variants: readonly Variant[], isLowLatency: boolean) => boolean;
  chooseVariant: (preferFastSwitching?: boolean) => Variant;
  segmentDownloaded: (
    duration_ms: number,
    size_bytes: number,
    allowSwitch: boolean,
    request?: ShakaRequest,
    context?: RequestContext,
  ) => void;
  /** Switches to the variant that `chooseVariant` returns, unless the application has disabled that. */
  trySuggestStreams: () => void;
  /** Throughput, bit/s. */
  getBandwidthEstimate: () => number;
  release: () => void;
}

/** A combination of a video and an audio stream. */
export interface Variant {
  /** Bitrate of both streams, bit/s: the sum in DASH, the attribute BANDWIDTH in HLS. */
  readonly bandwidth: number;
  readonly video: Stream | null;
  readonly audio: Stream | null;
}

export interface Stream {
  readonly id: number;
  /** The id of the Representation in DASH, the URL of the media playlist in HLS. */
  readonly originalId: string | null;
  readonly type: string;
  /** Bitrate in bit/s. Undefined in HLS, until Shaka has loaded a playlist with sizes for this stream. */
  readonly bandwidth?: number | undefined;
  /** Whether this audio is in the segments of the video. */
  readonly isAudioMuxedInVideo?: boolean;
  /** In most manifests, null for a stream that is not being played. */
  readonly segmentIndex: SegmentIndex | null;
}

export interface SegmentIndex {
  getNumEvicted(): number;
  getNumReferences(): number;
  get(position: number): SegmentReference | null;
}

/** A segment, or a part of a segment. Presentation times in seconds. */
export interface SegmentReference {
  getStartTime(): number;
  getEndTime(): number;
  getStartByte(): number;
  /** Null if the segment is an entire file. */
  getEndByte(): number | null;
  isPartial(): boolean;
}

/** `NetworkingEngine.RequestType`. */
export const MANIFEST = 0;
export const SEGMENT = 1;

/** `shaka.util.Error.Code.OPERATION_ABORTED`. */
export const OPERATION_ABORTED = 7001;

/**
 * A request. The same object is used for all attempts. Before each attempt, the headers are reset and the filters run.
 */
export interface ShakaRequest {
  /** Alternative URLs. After a failed attempt, the next URL is used. */
  readonly uris: string[];
  headers: Record<string, string>;
  /** Counts from 0. */
  readonly attempt: number;
  readonly retryParameters: RetryParameters;
}

/** Times are in milliseconds; 0 means no timeout. */
export interface RetryParameters {
  readonly maxAttempts: number;
  /** Delay before the second attempt, varied randomly by up to the share `fuzzFactor`. */
  readonly baseDelay: number;
  readonly fuzzFactor: number;
  readonly timeout: number;
  /** The timeouts for the first data and for further data. Read when an attempt is sent. */
  connectionTimeout: number;
  stallTimeout: number;
}

export interface RequestContext {
  readonly stream?: Stream;
  /** Undefined for an initialization segment or an index. */
  readonly segment?: SegmentReference;
  readonly isPreload?: boolean;
}

export type Headers = Readonly<Record<string, string>>;

export interface ShakaResponse {
  readonly uri: string;
  data: { readonly byteLength: number };
  headers: Headers;
  readonly status?: number;
  readonly originalRequest: ShakaRequest;
}

export type RequestFilter = (type: number, request: ShakaRequest, context?: RequestContext) => void;
export type ResponseFilter = (
  type: number,
  response: ShakaResponse,
  context?: RequestContext,
) => Promise<void> | undefined;

export interface NetworkingEngine {
  registerRequestFilter(filter: RequestFilter): void;
  unregisterRequestFilter(filter: RequestFilter): void;
  registerResponseFilter(filter: ResponseFilter): void;
  unregisterResponseFilter(filter: ResponseFilter): void;
  request(
    type: number,
    request: object,
    context?: RequestContext,
  ): { readonly promise: Promise<ShakaResponse> };
}

/** The event `downloadcompleted`. */
export interface Completed {
  readonly requestType: number;
  readonly request: ShakaRequest;
  readonly response: ShakaResponse;
}

/** The event `downloadfailed`, fired for each failed attempt. */
export interface Failed {
  readonly request: ShakaRequest;
  /** For an HTTP error, `data` has the URL, status, text and headers of the response. */
  readonly error: { readonly code: number; readonly data: readonly unknown[] } | null;
  /** 0 without a response. */
  readonly httpResponseCode: number;
  /** Whether the attempt timed out. */
  readonly aborted: boolean;
}

/** The event `downloadheadersreceived`. */
export interface HeadersReceived {
  readonly request: ShakaRequest;
  readonly headers: Headers;
}
