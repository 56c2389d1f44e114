/** Media types whose segments are chosen and paced separately. */
export type MediaType = 'video' | 'audio';
