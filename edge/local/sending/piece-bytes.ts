/** The size of the largest piece that is read and written at once. */
export const PIECE_BYTES = 64 * 1024;
