import { OPPORTUNITY_BYTES, type RateStep, type Trace } from '../links/traces.ts';

/** How many bytes the link can carry in the millisecond from `ms` on. */
export type LinkBytes = (ms: number) => number;

/** Mbit/s are kbit/ms; an eighth of that are kilobytes/ms. */
const bytesPerMs = (mbps: number): number => (mbps * 1000) / 8;

export const constantRate = (mbps: number): LinkBytes => scheduledRate([{ seconds: 1, mbps }]);

/** The steps one after the other, again and again. */
export function scheduledRate(steps: readonly RateStep[]): LinkBytes {
  const ends_ms = steps.reduce<number[]>(
    (ends, { seconds }) => [...ends, (ends.at(-1) ?? 0) + seconds * 1000],
    [],
  );
  const period_ms = ends_ms.at(-1) ?? 0;
  return (ms) => {
    const step = steps[ends_ms.findIndex((end) => ms % period_ms < end)];
    return step ? bytesPerMs(step.mbps) : 0;
  };
}

/** A mahimahi trace, again and again as mm-link does. */
export function tracedRate({ opportunities_ms, duration_ms }: Trace): LinkBytes {
  const bytes = new Float64Array(duration_ms);
  for (const at_ms of opportunities_ms) {
    const millisecond = Math.max(0, at_ms - 1);
    bytes[millisecond] = (bytes[millisecond] ?? 0) + OPPORTUNITY_BYTES;
  }
  return (ms) => bytes[ms % duration_ms] ?? 0;
}
