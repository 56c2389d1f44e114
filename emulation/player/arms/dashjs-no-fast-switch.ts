import { OBSERVER, type Arm } from './arm.ts';

/**
 * Sammy's arms have fast switch off, since it downloads again what is not needed to keep playing. Compared with stock
 * dash.js, this arm shows how much of a difference is due to fast switch and not to pacing.
 */
export const dashjsNoFastSwitch: Arm = {
  name: 'dashjs-no-fast-switch',
  about: 'stock dash.js that does not replace what is buffered when it switches up',
  settings: { streaming: { buffer: { fastSwitchEnabled: false } } },
  sammy: OBSERVER,
};
