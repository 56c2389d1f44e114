import type { Kbps } from '../units.ts';
import { CHANGE_KEY, FLOOR_KEY } from '../wire/rtp.ts';

/** The additional CMCD keys: the floor, if any, and the secret of the response. */
export const loopKeys = (floor: Kbps | null, secret: string | undefined): string[] => [
  ...(floor === null ? [] : [`${FLOOR_KEY}=${floor}`]),
  ...(secret === undefined ? [] : [`${CHANGE_KEY}="${secret}"`]),
];
