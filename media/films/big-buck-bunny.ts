import type { QualitySidecar } from '../sidecar.ts';
import quality from './big-buck-bunny/quality.json' with { type: 'json' };

/**
 * The sidecar of the lab's film, as `npm run media` made it: sizes and quality, for what needs no picture, such as the
 * simulator and the site. Whoever changes the ladder or how it is encoded puts the new `quality.json` here; a test compares.
 */
export const bigBuckBunny = quality as unknown as QualitySidecar;
