/** What is chosen and paced separately. */
export type MediaType = 'video' | 'audio';
