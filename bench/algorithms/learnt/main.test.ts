import { expect, it } from 'vitest';
import { main } from './main.ts';

it.each([
  ['--only', 'norway', "--only is 'norway', expected one of norway-3g, fcc-sd, puffer-slow, puffer, oboe"],
  ['--arms', 'sammy', "--arms is 'sammy', expected one of pensieve-bitrate, "],
])('refuses an unknown name of %s', async (option, name, message) => {
  await expect(main(['--traces', 'traces', '--out', 'out', option, name])).rejects.toThrow(message);
});
