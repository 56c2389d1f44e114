import { durationText } from '../../../system/progress.ts';
import type { Plan } from './study.ts';

/** How long runs in real time take: `6 runs of 60 s, about 7 min`. `runs` are those that are not made yet. */
export function durationLine({ settings, overhead_s }: Plan, runs: number, jobs = 1): string {
  const all_s = Math.ceil(runs / jobs) * (settings.seconds + overhead_s);
  return `${runs} ${runs === 1 ? 'run' : 'runs'} of ${settings.seconds} s, about ${durationText(all_s)}`;
}
