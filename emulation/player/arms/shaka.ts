import { OBSERVER, type Arm } from './arm.ts';

export const shaka: Arm = {
  name: 'shaka',
  about: 'stock Shaka Player, as fast as the network allows: the control of shaka-sammy',
  player: 'shaka',
  sammy: OBSERVER,
};

export const shakaSammy: Arm = {
  name: 'shaka-sammy',
  about: "Shaka Player with the plug-in's defaults, from dashjs-sammy/shaka",
  player: 'shaka',
  sammy: {},
};
