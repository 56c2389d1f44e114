import { OBSERVER, type Arm } from './arm.ts';

/**
 * Sammy's arms leave fast switch off: what it downloads again is not needed to keep playing, and would be paced for
 * nothing. Beside stock dash.js, this arm tells how much of a difference is fast switch's and not pacing's.
 */
export const dashjsNoFastSwitch: Arm = {
  name: 'dashjs-no-fast-switch',
  about: 'stock dash.js that does not replace what is buffered when it switches up',
  settings: { streaming: { buffer: { fastSwitchEnabled: false } } },
  sammy: OBSERVER,
};
