import type { Kbps } from '../units.ts';
import { CHANGE_KEY, FLOOR_KEY } from '../wire/rtp.ts';

/** The CMCD keys beside those of Sammy: the floor, if any, and whose the response is. */
export const loopKeys = (floor: Kbps | null, secret: string | undefined): string[] => [
  ...(floor === null ? [] : [`${FLOOR_KEY}=${floor}`]),
  ...(secret === undefined ? [] : [`${CHANGE_KEY}="${secret}"`]),
];
