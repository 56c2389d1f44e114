import { expect, it } from 'vitest';
import { isInMachine, placeFor, places } from './place.ts';

const study = {
  name: 'single',
  places: places(
    ['chromium', 'mahimahi', 'real'],
    ['chromium', 'p4', 'real'],
    ['page', 'p4', 'virtual'],
    ['model', 'virtual', 'virtual'],
  ),
};
const [usual, , machine, model] = study.places;

it.each([
  [{}, usual],
  [{ link: 'p4' }, study.places[1]],
  [{ clock: 'virtual' }, machine],
  [{ backend: 'model' }, model],
  [{ link: 'virtual' }, model],
] as const)('completes %j', (asked, place) => {
  expect(placeFor(study, asked)).toEqual(place);
});

it('keeps the place of a resumed folder, unless another is requested', () => {
  expect(placeFor(study, {}, model)).toEqual(model);
  expect(placeFor(study, { link: 'p4' }, model)).toEqual(study.places[1]);
});

it('refuses a place that the study does not support, in one sentence', () => {
  expect(() => placeFor(study, { backend: 'page', clock: 'real' })).toThrow(
    /^single does not run with --backend page --clock real; it runs with --backend chromium --link mahimahi --clock real, or /,
  );
});

it('is a virtual machine for a real link with a virtual clock', () => {
  expect(study.places.map(isInMachine)).toEqual([false, false, true, false]);
});
