import type Hls from 'hls.js';
import type { AbrController, Fragment, FragmentLoaderConstructor, FragmentLoaderContext, Part } from 'hls.js';
import type * as hlsjs from 'hls.js';
import type { MediaType } from '../film/media-type.ts';

/**
 * An hls.js player, by the declarations of 1.7. Version 1.6 lacks `audioForwardBufferInfo`, `errorPenaltyExpireMs` and
 * `loadErrorTime`.
 */
export type HlsPlayer = Omit<Hls, 'on' | 'off' | 'trigger'> & {
  on(event: string, listener: (event: string, data: never) => void): void;
  off(event: string, listener: (event: string, data: never) => void): void;
  trigger(event: string, data: object): boolean;
  /** Private in hls.js. Members may be missing, because an application can replace hls.js's ABR controller. */
  readonly abrController?: Partial<Pick<AbrController, 'clearTimer'>> & { readonly bwEstimator?: Estimator };
};

type Estimator = Pick<AbrController['bwEstimator'], 'getEstimate'> & Partial<AbrController['bwEstimator']>;
export type LoaderContext = FragmentLoaderContext;
export type Loader = hlsjs.Loader<LoaderContext>;
export type LoaderCallbacks = hlsjs.LoaderCallbacks<LoaderContext>;
export type LoaderClass = FragmentLoaderConstructor;
export type { Fragment, HlsConfig, Level, LevelDetails, LoaderStats, Part } from 'hls.js';

/** A request for a segment, a part of a segment, or an initialization segment. */
export interface MediaRequest {
  readonly mediaType: MediaType;
  readonly url: string;
  readonly frag: Fragment;
  readonly part: Part | null;
  /** Index into `levels`; undefined for an audio rendition, whose `frag.level` is an index into `audioTracks`. */
  readonly level: number | undefined;
}
