import { expect, it } from 'vitest';
import { checkArms, TRIAL_ARMS } from './trial-arms.ts';

it.each([
  ['hlsjs', 'arm hlsjs does not use dash.js'],
  ['shaka-sammy', 'arm shaka-sammy does not use dash.js'],
  ['sammy-tiny', 'arm sammy-tiny requests parts of segments'],
])('refuses %s, which a viewer of a trial would play as another arm', (arm, message) => {
  expect(() => checkArms(['dashjs', arm])).toThrow(message);
});

it('accepts the default arms', () => {
  expect(() => checkArms(TRIAL_ARMS)).not.toThrow();
});
