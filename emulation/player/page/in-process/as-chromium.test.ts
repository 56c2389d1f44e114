import { expect, it } from 'vitest';
import { bigBuckBunny } from '../../../../media/films/big-buck-bunny.ts';
import { nominalFilm } from '../../../studies/world/tcp/nominal-film.ts';
import { filmFor } from '../../model/player/film-for.ts';
import { INITIALIZATION_MS } from '../../model/player/player.ts';
import { SWITCH_MS } from '../../model/player/scheduler.ts';
import { asChromium } from './as-chromium.ts';

it("takes as long for one track's first initialization segments as for two, and less for a change of the rung", () => {
  const withSound = asChromium(filmFor(bigBuckBunny, 10));
  const withoutSound = asChromium(nominalFilm({ bitrates_kbps: [500, 1000], segment_s: 4 }, 10));
  expect(withSound('/v700/init.mp4') + withSound('/a/init.mp4')).toBe(INITIALIZATION_MS);
  expect(withoutSound('/500/init.mp4')).toBe(INITIALIZATION_MS);
  for (const busyWith of [withSound, withoutSound]) expect(busyWith('/1000/init.mp4')).toBe(SWITCH_MS);
});
