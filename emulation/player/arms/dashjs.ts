import { OBSERVER, type Arm } from './arm.ts';

export const dashjs: Arm = {
  name: 'dashjs',
  about: 'stock dash.js, as fast as the network allows: the control',
  sammy: OBSERVER,
};
