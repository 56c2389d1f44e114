import type { Paper } from '../../../emulation/studies/paper/claims/exhibit.ts';
import { buffers } from './buffers.ts';
import { fugu } from './fugu.ts';
import { neighbor } from './neighbor.ts';
import { sammy } from './sammy.ts';
import { unbiased } from './unbiased.ts';

export const papers: readonly Paper[] = [sammy, unbiased, buffers, fugu, neighbor];
