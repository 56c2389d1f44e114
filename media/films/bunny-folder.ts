import { fileURLToPath } from 'node:url';

/** The folder with `quality.json` of Big Buck Bunny. The simulator reads it, and needs neither ffmpeg nor the segments. */
export const BUNNY_FOLDER = fileURLToPath(new URL('./big-buck-bunny', import.meta.url));
