/** The size of every answer (Sammy §6). */
export const RESPONSE_BYTES = 3_000_000;
