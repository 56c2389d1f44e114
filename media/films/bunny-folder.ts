import { fileURLToPath } from 'node:url';

/**
 * The folder with the `quality.json` of Big Buck Bunny, for the simulator, which needs neither ffmpeg nor the segments.
 */
export const BUNNY_FOLDER = fileURLToPath(new URL('./big-buck-bunny', import.meta.url));
