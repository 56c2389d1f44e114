import { sourcesOf } from '../../claims/source.ts';

const { change, level } = sourcesOf('capped-world');

/** The estimators of §4.2 on the paired links: north is capped for 95%, south for 5%. */
export const testAt95 = (metric: string) => change(metric, 'north, capped', 'north, not capped');
export const testAt5 = (metric: string) => change(metric, 'south, capped', 'south, not capped');
export const tte = (metric: string, when = '') =>
  change(metric, `north, capped${when}`, `south, not capped${when}`);
export const spillover = (metric: string, when = '') =>
  change(metric, `north, not capped${when}`, `south, not capped${when}`);
/** Between the links while nobody is treated. */
export const baseline = (metric: string, when = '') =>
  change(metric, `north, baseline${when}`, `south, baseline${when}`);
export const eventStudy = (metric: string) =>
  change(metric, 'event study, capped', 'event study, not capped');
export const switchback = (metric: string) => change(metric, 'switchback, capped', 'switchback, not capped');
export const errorRatio = (metric: string) =>
  level(`${metric} by hour over by account, less 1`, 'standard errors');
/** From off-peak to peak hours. */
export const atPeak = (metric: string, group: string) =>
  change(metric, `${group}, peak`, `${group}, off-peak`);

export const IN_A_WORLD =
  'A simulated population on two links that are full at the evening peak, from Wednesday to Sunday; each repetition draws another';
