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
] as const)('completes %j with the other axes', (asked, place) => {
  expect(placeFor(study, asked)).toEqual(place);
});

it('is the place of the folder, unless another is requested', () => {
  expect(placeFor(study, {}, model)).toEqual(model);
  expect(placeFor(study, { link: 'p4' }, model)).toEqual(study.places[1]);
});

it('reports in one line that the study does not support the place', () => {
  expect(() => placeFor(study, { backend: 'page', clock: 'real' })).toThrow(
    /^single does not run with --backend page --clock real; it runs with --backend chromium --link mahimahi --clock real, or /,
  );
});

it('is in a virtual machine for a real link with a virtual clock', () => {
  expect(study.places.map(isInMachine)).toEqual([false, false, true, false]);
});
