import type { Seconds } from './units.ts';

/**
 * On a switch up dash.js downloads again, and replaces, all that it has buffered (its fast switch). At the start that is
 * the first picture; later it is many segments twice, with nothing won against a stall meanwhile.
 */
const REPLACED_UP_TO_S = 4;

/** Is it worth to download `buffer` again, at a higher rung? */
export const replacementPays = (buffer: Seconds): boolean => buffer <= REPLACED_UP_TO_S;
