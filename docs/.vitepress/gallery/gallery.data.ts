import type { Paper } from '../../../emulation/studies/paper/claims/exhibit.ts';
import { papers } from './papers.ts';

export declare const data: readonly Paper[];

/** Read where the site is built: the browser gets claims and numbers, and neither evidence nor what measures it. */
export default {
  watch: ['../../results/evidence/*.json'],
  load: (): readonly Paper[] => papers,
};
