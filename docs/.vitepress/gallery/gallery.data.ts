import type { Paper } from '../../../emulation/studies/paper/claims/exhibit.ts';
import { papers } from './papers.ts';

export declare const data: readonly Paper[];

/**
 * Runs when the site is built, so that the browser downloads only claims and numbers, and neither the evidence files
 * nor the lab.
 */
export default {
  watch: ['../../results/evidence/*.json'],
  load: (): readonly Paper[] => papers,
};
