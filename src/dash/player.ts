import type { MediaType } from '../film/media-type.ts';

/**
 * A dash.js MediaPlayer as an application has it. The declarations of dash.js 4 and 5 differ, so this has only what
 * they share, which is enough to tell a player from any other object.
 */
export interface MediaPlayerLike {
  getVersion(): string;
  isReady(): boolean;
  getSettings(): object;
}

/**
 * The part of dash.js that the adapter uses, as dash.js 4.7 and 5.2 have it. Structural, so that neither
 * version's type declarations are needed to compile or to install the plug-in.
 */
export interface DashPlayer extends MediaPlayerLike {
  updateSettings(settings: object): void;
  on(type: string, listener: (event: never) => void, scope?: object): void;
  off(type: string, listener: (event: never) => void, scope?: object): void;
  addABRCustomRule(type: string, name: string, rule: object): void;
  removeABRCustomRule(name: string): void;
  getABRCustomRules(): readonly { readonly rulename: string }[];
  getBufferLength(type: string): number;
  getVideoElement(): HTMLVideoElement;
  getTargetLiveDelay(): number;
  isDynamic(): boolean;
  duration(): number;
  getPlaybackRate(): number;
  getAutoPlay(): boolean;
  getSource(): string | object;
}

/** What loads the requests of one period and media type (dash.js's `FragmentModel`). */
export interface Loader {
  getRequests(filter: { readonly state: 'loading' }): readonly object[];
  /** Also gives up a retry that dash.js waits for. dash.js then asks for the segment anew, at once. */
  abortRequests(): void;
}

/** A request of dash.js 4 or 5. */
export interface FragmentRequest {
  readonly type: string;
  readonly url: string | null;
  readonly mediaType: string;
  readonly startTime: number;
  readonly duration: number;
  readonly bytesLoaded: number;
  readonly bytesTotal: number;
  readonly firstByteDate: Date | null;
  readonly availabilityTimeComplete?: boolean;
}

/** dash.js's record of a download in one or more parts; `d` is the duration of a part in ms. */
export type Traces = readonly { readonly d: number }[];
export const timeOf = (traces: Traces = []): number => traces.reduce((sum, { d }) => sum + d, 0);

/** dash.js's name for it (`HTTPRequest.type`). Initialization segments, indexes and the like end as it does, and nothing else. */
export const MEDIA_SEGMENT = 'MediaSegment';

/** A request for a part of a video or of its sound. */
export type MediaRequest = FragmentRequest & { readonly mediaType: MediaType };
export const isMediaRequest = <Request extends FragmentRequest>(
  request: Request,
): request is Request & MediaRequest => request.type.endsWith('Segment') && isPaceable(request.mediaType);

export const isPaceable = (mediaType: string): mediaType is MediaType =>
  mediaType === 'video' || mediaType === 'audio';
