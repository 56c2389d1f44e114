import { shiftLink } from '../../network/links/trace-files/link-from.ts';
import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';
import type { Random } from '../../ground/statistics/random.ts';
import type { Condition } from '../../player/records/session-settings.ts';

/**
 * Makes conditions from traces. By default, there is one for each trace, from the trace's beginning. With `offsets`,
 * each trace has this many conditions, which form a cluster. Each of them begins at a random position in its own part of
 * the trace. Throws an Error of one line for a trace that is too short.
 */
export const traceConditions = (
  traces: readonly TracedLink[],
  offsets: number | undefined,
  random: Random,
): Condition[] =>
  traces.flatMap(({ name, link, duration_ms }) => {
    if (offsets === undefined) return [{ name, link }];
    if (duration_ms < offsets)
      throw new Error(`--offsets ${offsets}: the trace ${name} has only ${duration_ms} ms`);
    return Array.from({ length: offsets }, (_, index): Condition => {
      const offset_ms = Math.floor(((index + random()) * duration_ms) / offsets);
      return { name: `${name}-at-${offset_ms / 1000}s`, link: shiftLink(link, offset_ms), cluster: name };
    });
  });
