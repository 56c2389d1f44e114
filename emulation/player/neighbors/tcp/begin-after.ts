/** From the start of playback to the start of the bulk flow, s. */
export const BEGIN_AFTER_S = 10;
