/** The size of every answer (Sammy §6). Apart from the exchange, which needs Node: pages of the site compute with it. */
export const RESPONSE_BYTES = 3_000_000;
