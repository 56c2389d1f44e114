import { OPPORTUNITY_BYTES, type Trace } from '../../../../p4/switch/link/trace.ts';
import type { RateStep } from '../../links/link.ts';
import { Capacity } from './capacity.ts';

/** Mbit/s are kbit/ms; an eighth of that are kilobytes/ms. */
const bytesPerMs = (mbps: number): number => (mbps * 1000) / 8;

export const constantRate = (mbps: number): Capacity => scheduledRate([{ seconds: 1, mbps }]);

/** Repeats the steps. Some rates may be 0, which no emulated link supports. */
export const scheduledRate = (steps: readonly RateStep[]): Capacity =>
  new Capacity(
    steps.map(({ seconds, mbps }) => ({ duration_ms: seconds * 1000, bytesPerMs: bytesPerMs(mbps) })),
  );

/** Repeats a mahimahi trace in the same way as mm-link. The bytes of an opportunity are spread over the preceding time. */
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
