import type { PlannedExhibit } from '../claims/planned.ts';
import * as buffers from './buffers.ts';
import * as fugu from './fugu.ts';
import * as sammy from './sammy.ts';
import * as unbiased from './unbiased.ts';

/**
 * The exhibits that `run paper` measures, by the paper's key in the gallery. To add one, add it to the file of its
 * paper.
 */
export const plannedExhibits: Readonly<
  Record<'sammy' | 'unbiased' | 'buffers' | 'fugu', readonly PlannedExhibit[]>
> = {
  sammy: Object.values(sammy),
  unbiased: Object.values(unbiased),
  buffers: Object.values(buffers),
  fugu: Object.values(fugu),
};
