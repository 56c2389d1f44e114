import { OBSERVER, type Arm } from './arm.ts';

/**
 * dash.js's `rtp` is five times the segment's bitrate times its duration over the buffer level: below the segment's
 * own bitrate once the buffer holds more than five segments.
 */
export const dashjsRtp: Arm = {
  name: 'dashjs-rtp',
  about: "stock dash.js, and the edge paces as dash.js's own CMCD rtp asks",
  settings: { streaming: { cmcd: { enabled: true, mode: 'query', rtpSafetyFactor: 5 } } },
  sammy: OBSERVER,
};
