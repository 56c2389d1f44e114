import { OPPORTUNITY_BYTES, type Trace } from '../../../../p4/switch/link/trace.ts';
import type { RateStep } from '../../links/link.ts';
import { Capacity } from './capacity.ts';

/** 1 Mbit/s is 1000 bits/ms; an eighth of it is bytes/ms. */
const bytesPerMs = (mbps: number): number => (mbps * 1000) / 8;

export const constantRate = (mbps: number): Capacity => scheduledRate([{ seconds: 1, mbps }]);

/** Returns the capacity of a link that repeats the steps. A step's rate may be 0. */
export const scheduledRate = (steps: readonly RateStep[]): Capacity =>
  new Capacity(
    steps.map(({ seconds, mbps }) => ({ duration_ms: seconds * 1000, bytesPerMs: bytesPerMs(mbps) })),
  );

/**
 * Returns the capacity of a link that repeats a mahimahi trace as mm-link does. The bytes of an opportunity are spread
 * over the time since the previous one.
 */
export function tracedRate({ opportunities_ms }: Trace): Capacity {
  const pieces: { duration_ms: number; bytesPerMs: number }[] = [];
  let [before, packets] = [0, 0];
  opportunities_ms.forEach((at_ms, index) => {
    packets += 1;
    // An opportunity at 0 is merged with the next later opportunity.
    if (at_ms === opportunities_ms[index + 1] || at_ms === before) return;
    const duration_ms = at_ms - before;
    pieces.push({ duration_ms, bytesPerMs: (packets * OPPORTUNITY_BYTES) / duration_ms });
    [before, packets] = [at_ms, 0];
  });
  return new Capacity(pieces);
}
