import manifest from '../package.json' with { type: 'json' };

/** The version of the edge's package. */
export const VERSION = manifest.version;
