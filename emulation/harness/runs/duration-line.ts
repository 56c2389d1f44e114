import { durationText } from '../../../system/progress.ts';
import type { Plan } from './study.ts';

/** Estimates the duration of the remaining `runs` in real time: `6 runs of 60 s, about 7 min`. */
export function durationLine({ settings, overhead_s }: Plan, runs: number, jobs = 1): string {
  const all_s = Math.ceil(runs / jobs) * (settings.seconds + overhead_s);
  return `${runs} ${runs === 1 ? 'run' : 'runs'} of ${settings.seconds} s, about ${durationText(all_s)}`;
}
