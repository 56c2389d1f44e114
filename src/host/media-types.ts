import type { MediaType } from '../film/media-type.ts';

export const MEDIA_TYPES: readonly MediaType[] = ['video', 'audio'];

/** Whether segments of this type are chosen and paced: not subtitles, for example. */
export const isPaceable = (type: string): type is MediaType => MEDIA_TYPES.includes(type as MediaType);
