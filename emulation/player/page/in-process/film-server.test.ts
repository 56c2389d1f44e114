import { expect, it } from 'vitest';
import { bigBuckBunny } from '../../../../media/films/big-buck-bunny.ts';
import { bitratePolicy, defaultModel, ssimPolicy } from '../../arms/default-model.ts';
import { filmFor } from '../../model/player/film-for.ts';
import { FilmServer } from './film-server.ts';

it.each([
  ['fugu-ttp', defaultModel],
  ['pensieve-bitrate', bitratePolicy],
  ['pensieve-ssim', ssimPolicy],
])('serves the files that arms fetch: %s', (name, model) => {
  const served = new FilmServer(filmFor(bigBuckBunny, 10)).get(`/models/${name}.bin`);
  const read = typeof model === 'function' ? model() : new Uint8Array(0);
  expect(read.length).toBeGreaterThan(1000);
  expect(Buffer.compare(served?.begins ?? new Uint8Array(0), read)).toBe(0);
});
