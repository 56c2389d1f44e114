/** The entry `dashjs-sammy/loop`: the player and an edge that yields, and changes paces, as one. */
export { closeLoop } from './close-loop.ts';
export type { Loop, LoopOptions } from './close-loop.ts';
export { pacedFetch } from './paced-fetch.ts';
export type { PacedFetchOptions } from './paced-fetch.ts';
export type { MediaPlayerLike } from '../dash/player.ts';
export type { SammyHandle } from '../host/handle.ts';
