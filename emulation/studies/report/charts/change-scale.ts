/** Changes beyond it stand at the edge, so that one wild interval does not flatten the rest. */
const MOST_PCT = 100;

/** The domain of an axis of percent changes: down to the least, with 0 well inside. */
export function changeDomain(changes: readonly (number | undefined)[], least = -10): [number, number] {
  const present = changes.filter((change) => change !== undefined);
  return [Math.max(-100, Math.min(least, ...present)), Math.min(MOST_PCT, Math.max(10, ...present))];
}

/** For the caption; empty when all is on the axis. */
export const beyondNote = (changes: readonly (number | undefined)[]): string =>
  changes.some((change) => change !== undefined && change > MOST_PCT)
    ? ` What lies beyond +${MOST_PCT}% stands at the edge.`
    : '';
