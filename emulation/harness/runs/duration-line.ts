import type { Plan } from './study.ts';

/** How long runs in real time take: `6 runs of 60 s, about 7 min`. `runs` are those that are not made yet. */
export function durationLine({ settings, overhead_s }: Plan, runs: number, jobs = 1): string {
  const one_s = settings.seconds + overhead_s;
  const minutes = Math.ceil((Math.ceil(runs / jobs) * one_s) / 60);
  return `${runs} ${runs === 1 ? 'run' : 'runs'} of ${settings.seconds} s, about ${minutes} min`;
}
