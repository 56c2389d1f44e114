import type { MediaType } from '../film/media-type.ts';
import type { ShakaLike } from './shaka-like.ts';

/**
 * The part of Shaka Player that the adapter uses, all of it public and described in Shaka's `externs`. Structural, so that its type
 * declarations are not needed to compile or to install the plug-in.
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
    /** The largest share of the throughput for a variant's bitrate. */
    readonly bandwidthDowngradeTarget: number;
  };
  readonly streaming: { readonly bufferingGoal: number; readonly rebufferingGoal: number };
}

/** Shaka's AbrManager. One serves all sources of a player, until the application sets another `abrFactory`. */
export interface AbrManager {
  /** Called when its source is about to play; never for a source that is preloaded. */
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
  /** Bit/s, of both streams: the sum in DASH, the attribute BANDWIDTH in HLS. */
  readonly bandwidth: number;
  readonly video: Stream | null;
  readonly audio: Stream | null;
}

export interface Stream {
  readonly id: number;
  /** The id of the Representation in DASH, the URL of the media playlist in HLS. */
  readonly originalId: string | null;
  readonly type: string;
  /** Bit/s. HLS gives none, until the playlist of a stream has been loaded that has sizes. */
  readonly bandwidth?: number | undefined;
  /** Whether this audio is in the segments of the video. */
  readonly isAudioMuxedInVideo?: boolean;
  /** Null for a stream that is not played, in most manifests. */
  readonly segmentIndex: SegmentIndex | null;
}

export interface SegmentIndex {
  getNumEvicted(): number;
  getNumReferences(): number;
  get(position: number): SegmentReference | null;
}

/** A segment, or a part of a segment. Times are of the presentation, in seconds. */
export interface SegmentReference {
  getStartTime(): number;
  getEndTime(): number;
  getStartByte(): number;
  /** Null if the segment is a whole file. */
  getEndByte(): number | null;
  isPartial(): boolean;
}

/** `NetworkingEngine.RequestType`. */
export const MANIFEST = 0;
export const SEGMENT = 1;

/** `shaka.util.Error.Code.OPERATION_ABORTED`. */
export const OPERATION_ABORTED = 7001;

/** One object for all attempts. Its filters run before each attempt, and its headers are reset then. */
export interface ShakaRequest {
  /** Attempted one after the other, as long as attempts fail. */
  readonly uris: string[];
  headers: Record<string, string>;
  /** Counts from 0. */
  readonly attempt: number;
  readonly retryParameters: RetryParameters;
}

/** Times are in milliseconds; 0 is none. */
export interface RetryParameters {
  readonly maxAttempts: number;
  /** Before the second attempt, give or take the share `fuzzFactor`. */
  readonly baseDelay: number;
  readonly fuzzFactor: number;
  readonly timeout: number;
  /** The longest wait for the first data, and for any further. Read when an attempt is sent. */
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

/** The event `downloadfailed`, for each attempt. */
export interface Failed {
  readonly request: ShakaRequest;
  /** Its data of a response that is an error: URL, status, text, headers. */
  readonly error: { readonly code: number; readonly data: readonly unknown[] } | null;
  /** 0 without a response. */
  readonly httpResponseCode: number;
  /** Whether no data came for too long. */
  readonly aborted: boolean;
}

/** The event `downloadheadersreceived`. */
export interface HeadersReceived {
  readonly request: ShakaRequest;
  readonly headers: Headers;
}
