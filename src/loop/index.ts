/**
 * The package's entry `dashjs-sammy/loop`: cooperation with an edge that yields to other traffic and changes paces of
 * responses in flight.
 */
export { closeLoop } from './close-loop.ts';
export type { Loop, LoopOptions } from './close-loop.ts';
export { pacedFetch } from './paced-fetch.ts';
export type { PacedFetchOptions } from './paced-fetch.ts';
export type { MediaPlayerLike } from '../dash/player.ts';
export type { SammyHandle } from '../host/handle.ts';
