import { fileURLToPath } from 'node:url';

/** The folder of the film's `quality.json`, for what reads no segments: the simulator needs neither ffmpeg nor the film. */
export const BUNNY_FOLDER = fileURLToPath(new URL('./big-buck-bunny', import.meta.url));
