import { type Arm, OBSERVER } from './arm.ts';

export const dashjs: Arm = {
  name: 'dashjs',
  about: 'stock dash.js, as fast as the network allows: the control',
  sammy: OBSERVER,
};

/**
 * Stock dash.js without fast switch. Sammy's arms disable fast switch, because it downloads segments again that
 * playback does not need. This arm shows how much of a difference to stock dash.js is due to fast switch, and not to
 * pacing.
 */
export const dashjsNoFastSwitch: Arm = {
  name: 'dashjs-no-fast-switch',
  about: 'stock dash.js that does not replace what is buffered when it switches up',
  settings: { streaming: { buffer: { fastSwitchEnabled: false } } },
  sammy: OBSERVER,
};

/**
 * dash.js with its own `rtp`: 5 × the segment's bitrate × its duration / the buffer level. This is below the segment's
 * bitrate if the buffer holds more than five segments.
 */
export const dashjsRtp: Arm = {
  name: 'dashjs-rtp',
  about: "stock dash.js, and the edge paces as dash.js's own CMCD rtp asks",
  settings: { streaming: { cmcd: { enabled: true, mode: 'query', rtpSafetyFactor: 5 } } },
  sammy: OBSERVER,
};
