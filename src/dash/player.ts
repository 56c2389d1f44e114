import type { MediaType } from '../film/media-type.ts';
import { isPaceable } from '../host/media-types.ts';

/**
 * A dash.js MediaPlayer, of version 4 or 5: these methods have the same types in both. No other player has all of them,
 * so that a call with another player does not compile.
 */
export interface MediaPlayerLike {
  getVersion(): string;
  isReady(): boolean;
  getSettings(): object;
}

/**
 * The part of dash.js that the adapter uses, common to dash.js 4.7 and 5.2. Declared here, so that the plug-in compiles
 * without the type declarations of either version.
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

/** The object that loads the requests of one period and media type (dash.js's `FragmentModel`). */
export interface Loader {
  getRequests(filter: { readonly state: 'loading' }): readonly object[];
  /** Also cancels a pending retry. dash.js then requests the segment again immediately. */
  abortRequests(): void;
}

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
export const totalTime = (traces: Traces = []): number => traces.reduce((sum, { d }) => sum + d, 0);

/** The request type of media segments (dash.js's `HTTPRequest.type`). */
export const MEDIA_SEGMENT = 'MediaSegment';

/** A request for a video or audio segment. */
export type MediaRequest = FragmentRequest & { readonly mediaType: MediaType };
export const isMediaRequest = <Request extends FragmentRequest>(
  request: Request,
): request is Request & MediaRequest => request.type.endsWith('Segment') && isPaceable(request.mediaType);
