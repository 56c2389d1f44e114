import { expect, it } from 'vitest';
import { planBufferVideo } from './settings.ts';

it('refuses unknown arms, and arms that request parts of segments', () => {
  const planned = (arm: string) => () =>
    planBufferVideo({ name: 'x', about: '', figure: '' }, { arms: [arm] });
  expect(planned('sammy-smooth')).not.toThrow();
  expect(planned('nobody')).toThrow("no arm 'nobody'");
  expect(planned('sammy-again')).toThrow('arm sammy-again requests parts of segments');
});

it('plays other players than dash.js only in the page', () => {
  const planned = (backend: 'model' | 'page') => () =>
    planBufferVideo(
      { name: 'x', about: '', figure: '' },
      { place: { backend, link: 'virtual', clock: 'virtual' }, arms: ['hlsjs'] },
    );
  expect(planned('page')).not.toThrow();
  expect(planned('model')).toThrow('arm hlsjs does not use dash.js: it needs --backend page');
});

it("allows live only the site with two queues, and the kernel's receive windows", () => {
  const planned = (asked: object) =>
    planBufferVideo(
      { name: 'x', about: '', figure: '' },
      { place: { backend: 'light', link: 'p4', clock: 'real' }, ...asked },
    );
  const { settings, overhead_s } = planned({ quick: true, seconds: 30 });
  expect(settings.sites).toEqual(['site-1']);
  // Two stacks run one after the other, each with 20 s of warm-up and 6 s to start. One hour of 30 s is not overhead.
  expect(overhead_s).toBe(2 * 26 + 30);
  expect(planned({ sites: ['site-2'], queues: 2 }).settings.sites).toEqual(['site-2']);
  expect(() => planned({ sites: ['site-1', 'site-3'] })).toThrow(
    "--backend light: site-3 has more queues than the live switch's two; try --sites site-1",
  );
  expect(() => planned({ window: 64 })).toThrow('--window needs virtual time');
});
