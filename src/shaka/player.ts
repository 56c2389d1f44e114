import type shaka from 'shaka-player';

export type ShakaPlayer = shaka.Player;
export type NetworkingEngine = shaka.net.NetworkingEngine;
export type RequestContext = shaka.extern.RequestContext;
export type RequestFilter = shaka.extern.RequestFilter;
export type ResponseFilter = shaka.extern.ResponseFilter;
export type RetryParameters = shaka.extern.RetryParameters;
export type SegmentIndex = shaka.extern.SegmentIndex;
export type SegmentReference = shaka.media.SegmentReference;
export type ShakaConfig = shaka.extern.PlayerConfiguration;
export type ShakaResponse = shaka.extern.Response;
/** The same object is used for all attempts. Before each attempt, the headers are reset and the filters run. */
export type ShakaRequest = shaka.extern.Request;
/** The `originalId` is the id of the Representation in DASH, and the URL of the media playlist in HLS. */
export type Stream = shaka.extern.Stream;
/** A combination of a video and an audio stream. Its bandwidth is the sum in DASH, the attribute BANDWIDTH in HLS. */
export type Variant = shaka.extern.Variant;
export type Headers = ShakaRequest['headers'];

/** Shaka's AbrManager. A player uses one manager for all sources, until the application sets another `abrFactory`. */
export interface AbrManager {
  /** Called when the manager's source is about to play. Not called for a source that is only preloaded. */
  init: (...callbacks: Parameters<shaka.extern.AbrManager['init']>) => void;
  setVariants: (...offered: Parameters<shaka.extern.AbrManager['setVariants']>) => boolean;
  chooseVariant: (preferFastSwitching?: boolean) => Variant;
  segmentDownloaded: (...download: Parameters<shaka.extern.AbrManager['segmentDownloaded']>) => void;
  /** Switches to the variant that `chooseVariant` returns, unless the application has disabled that. */
  trySuggestStreams: () => void;
  /** Throughput, bit/s. */
  getBandwidthEstimate: () => number;
  release: () => void;
}

/** `NetworkingEngine.RequestType`. */
export const MANIFEST = 0;
export const SEGMENT = 1;

/** `shaka.util.Error.Code.OPERATION_ABORTED`. */
export const OPERATION_ABORTED = 7001;

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
