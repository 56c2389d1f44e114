/** Media types that are chosen and paced separately. */
export type MediaType = 'video' | 'audio';
