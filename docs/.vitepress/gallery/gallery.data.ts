import type { Paper } from '../../../emulation/studies/paper/claims/exhibit.ts';
import { papers } from './papers.ts';

export declare const data: readonly Paper[];

/** Runs when the site is built, so the browser downloads claims and numbers only, without the evidence files and the lab. */
export default {
  watch: ['../../results/evidence/*.json'],
  load: (): readonly Paper[] => papers,
};
