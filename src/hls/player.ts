import type { MediaType } from '../film/media-type.ts';
import type { HlsLike } from './hls-like.ts';

/**
 * The part of hls.js that the adapter uses, common to 1.6 and 1.7. Declared here, so that the plug-in compiles without
 * the type declarations of either version.
 */
export interface HlsPlayer extends HlsLike {
  readonly config: HlsConfig;
  readonly levels: readonly Level[];
  /** The renditions of the current audio group, and of all groups. */
  readonly audioTracks: readonly Rendition[];
  readonly allAudioTracks: readonly Rendition[];
  readonly media: HTMLMediaElement | null;
  readonly url: string | null;
  readonly autoLevelEnabled: boolean;
  readonly minAutoLevel: number;
  readonly maxAutoLevel: number;
  readonly firstAutoLevel: number;
  /** -1 to test the bandwidth with a segment of the lowest level, unless `testBandwidth` is off. */
  startLevel: number;
  readonly mainForwardBufferInfo: { readonly len: number } | null;
  /** Since hls.js 1.7. */
  readonly audioForwardBufferInfo?: { readonly len: number } | null;
  readonly latestLevelDetails: LevelDetails | null;
  readonly targetLatency: number | null;
  nextLoadLevel: number;
  nextAutoLevel: number;
  bandwidthEstimate: number;
  on(event: string, listener: (event: string, data: never) => void): void;
  off(event: string, listener: (event: string, data: never) => void): void;
  trigger(event: string, data: object): boolean;
  /**
   * Private in hls.js's declarations. Members may be missing, because an application can replace hls.js's ABR
   * controller.
   */
  readonly abrController?: AbrController | undefined;
}

export interface AbrController {
  /** Stops the timer of hls.js's own abandonment rule, which starts with each request. */
  clearTimer?(): void;
  /** hls.js creates a new object when it resets the estimate. */
  readonly bwEstimator?: BandwidthEstimator | undefined;
}

export interface BandwidthEstimator {
  getEstimate(): number;
  sample?(duration_ms: number, bytes: number): void;
}

export interface HlsConfig {
  readonly loader: LoaderClass;
  fLoader?: LoaderClass | undefined;
  testBandwidth: boolean;
  abrEwmaDefaultEstimate: number;
  readonly lowLatencyMode: boolean;
  readonly maxBufferLength: number;
  readonly maxBufferSize: number;
  readonly maxMaxBufferLength: number;
  /** Since hls.js 1.7. The time after which a level's error no longer counts; 0 if errors do not count. */
  readonly errorPenaltyExpireMs?: number;
  readonly fragLoadPolicy: { readonly default: { readonly maxLoadTimeMs: number } };
}

export interface Level {
  /** The attribute BANDWIDTH, bit/s: the peak of video and audio together. */
  readonly bitrate: number;
  readonly attrs: Readonly<Record<string, string | undefined>>;
  readonly details?: LevelDetails | undefined;
  /** The groups of the level's audio renditions; undefined if the level's segments contain the audio. */
  readonly audioGroups?: readonly (string | undefined)[] | undefined;
  readonly videoCodec?: string | undefined;
  readonly audioCodec?: string | undefined;
  readonly codecSet: string;
  readonly videoRange: string;
  readonly loadError: number;
  readonly fragmentError: number;
  /** Since hls.js 1.7. Time of the latest error, ms of the page's clock. */
  readonly loadErrorTime?: number;
  readonly supportedResult?:
    | { readonly decodingInfoResults?: readonly { readonly smooth: boolean }[] | undefined }
    | undefined;
}

/** An audio rendition. Playlists do not specify its bitrate. */
export interface Rendition {
  readonly attrs: Readonly<Record<string, string | undefined>>;
  readonly groupId: string;
  /** Empty if the rendition's audio is in the segments of the levels. */
  readonly url: string;
}

export interface LevelDetails {
  readonly live: boolean;
  readonly partList?: readonly object[] | null;
  readonly fragments: readonly Fragment[];
}

export interface Fragment {
  /** `main` for segments of a level: video, video with audio, or the audio of an audio-only stream. */
  readonly type: string;
  readonly sn: number | 'initSegment';
  /** Index into `levels`, or into `audioTracks` if the type is `audio`. */
  readonly level: number;
  readonly start: number;
  readonly duration: number;
  /** Bitrate in bit/s, from a byte range or EXT-X-BITRATE; null if the playlist has neither. */
  readonly bitrate: number | null;
  abortRequests(): void;
}

/** A part of a segment of low-latency HLS. */
export interface Part {
  readonly start: number;
  readonly duration: number;
}

export interface LoaderStats {
  aborted: boolean;
  /** Number of earlier attempts. */
  retry: number;
  loaded: number;
  /** 0 while unknown. */
  total: number;
  /** Times in ms of the page's clock; 0 if not reached yet. */
  loading: { start: number; first: number; end: number };
}

export interface LoaderContext {
  url: string;
  headers?: Record<string, string>;
  readonly frag?: Fragment;
  readonly part?: Part | null;
}

/** An XMLHttpRequest, a `fetch` response, or any value from an application's loader. */
export type NetworkDetails = unknown;

export interface LoaderCallbacks {
  onSuccess(
    response: { readonly url: string; readonly data?: unknown; readonly code?: number },
    stats: LoaderStats,
    context: LoaderContext,
    details: NetworkDetails,
  ): void;
  onError(
    error: { readonly code: number; readonly text: string },
    context: LoaderContext,
    details: NetworkDetails,
    stats: LoaderStats,
  ): void;
  onTimeout(stats: LoaderStats, context: LoaderContext, details: NetworkDetails): void;
  onAbort?(stats: LoaderStats, context: LoaderContext, details: NetworkDetails): void;
  readonly onProgress?: (
    stats: LoaderStats,
    context: LoaderContext,
    data: unknown,
    details: NetworkDetails,
  ) => void;
}

export interface Loader {
  readonly stats: LoaderStats;
  readonly context: LoaderContext | null;
  load(context: LoaderContext, config: object, callbacks: LoaderCallbacks): void;
  abort(): void;
  destroy(): void;
  getCacheAge?(): number | null;
  getResponseHeader?(name: string): string | null;
}

export type LoaderClass = new (config: HlsConfig) => Loader;

/** A request for a segment, a part of a segment, or an initialization segment. */
export interface MediaRequest {
  readonly mediaType: MediaType;
  readonly url: string;
  readonly frag: Fragment;
  readonly part: Part | null;
}
