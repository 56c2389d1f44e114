import { expect, it } from 'vitest';
import { planBufferVideo } from './settings.ts';

it('refuses arms that there are not, and those that ask for parts of segments', () => {
  const planned = (arm: string) => () =>
    planBufferVideo({ name: 'x', about: '', figure: '' }, { arms: [arm] });
  expect(planned('sammy-smooth')).not.toThrow();
  expect(planned('nobody')).toThrow("no arm 'nobody'");
  expect(planned('sammy-again')).toThrow('arm sammy-again asks for parts of segments');
});
