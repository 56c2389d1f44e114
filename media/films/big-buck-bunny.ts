import type { QualitySidecar } from '../sidecar.ts';
import quality from './big-buck-bunny/quality.json' with { type: 'json' };

/**
 * The sidecar of the default video, for programs that read no segments: the simulator needs neither ffmpeg nor the
 * video.
 */
export const bigBuckBunny = quality as unknown as QualitySidecar;
