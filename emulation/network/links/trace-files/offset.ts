import type { Trace } from '../../../../p4/switch/link/trace.ts';
import type { RateStep } from '../link.ts';

/**
 * Rotates the steps to begin at `offset_ms`. The part before the offset moves to the end, because the steps repeat.
 * Steps and offset are in whole milliseconds.
 */
export function rotateSteps(steps: readonly RateStep[], offset_ms: number): RateStep[] {
  const [before, after]: [RateStep[], RateStep[]] = [[], []];
  let begins_ms = 0;
  for (const { seconds, mbps } of steps) {
    const duration_ms = Math.round(seconds * 1000);
    const first_ms = Math.min(duration_ms, Math.max(0, offset_ms - begins_ms));
    if (first_ms > 0) before.push({ seconds: first_ms / 1000, mbps });
    if (first_ms < duration_ms) after.push({ seconds: (duration_ms - first_ms) / 1000, mbps });
    begins_ms += duration_ms;
  }
  return [...after, ...before];
}

/**
 * Rotates the trace to begin at its first opportunity at or after `offset_ms`. That opportunity becomes the last one,
 * so that the trace keeps its length: it repeats after its last line.
 */
export function rotateTrace(trace: Trace, offset_ms: number): Trace {
  const { opportunities_ms, duration_ms } = trace;
  const from_ms = opportunities_ms.find((at_ms) => at_ms >= offset_ms % duration_ms) ?? 0;
  if (from_ms === 0 || from_ms === duration_ms) return trace;
  const later = opportunities_ms.filter((at_ms) => at_ms > from_ms).map((at_ms) => at_ms - from_ms);
  const earlier = opportunities_ms
    .filter((at_ms) => at_ms <= from_ms)
    .map((at_ms) => at_ms - from_ms + duration_ms);
  return { ...trace, opportunities_ms: [...later, ...earlier] };
}
