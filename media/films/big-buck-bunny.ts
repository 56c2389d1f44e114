import type { QualitySidecar } from '../sidecar.ts';
import quality from './big-buck-bunny/quality.json' with { type: 'json' };

/**
 * The folder of the default video's `quality.json`, for programs that read no segments: the simulator needs neither ffmpeg
 * nor the video.
 */
export const bigBuckBunny = quality as unknown as QualitySidecar;
