import { OBSERVER, type Arm } from './arm.ts';

export const hlsjs: Arm = {
  name: 'hlsjs',
  about: 'stock hls.js, as fast as the network allows: the control of hlsjs-sammy',
  player: 'hlsjs',
  sammy: OBSERVER,
};

export const hlsjsSammy: Arm = {
  name: 'hlsjs-sammy',
  about: "hls.js with the plug-in's defaults, from dashjs-sammy/hls",
  player: 'hlsjs',
  sammy: {},
};
