import type { PlannedExhibit } from '../claims/planned.ts';
import * as buffers from './buffers/index.ts';
import * as fugu from './fugu/index.ts';
import * as sammy from './sammy/index.ts';
import * as unbiased from './unbiased/index.ts';

/** The exhibits that `run paper` measures, by the paper's key in the gallery; to add one, add a file and a line beside it. */
export const plannedExhibits: Readonly<
  Record<'sammy' | 'unbiased' | 'buffers' | 'fugu', readonly PlannedExhibit[]>
> = {
  sammy: Object.values(sammy),
  unbiased: Object.values(unbiased),
  buffers: Object.values(buffers),
  fugu: Object.values(fugu),
};
