import type { SessionSettings } from '../../player/records/session-settings.ts';
import { cellName, type RunRecord } from '../../player/records/run-record.ts';

/**
 * Removes simulated runs that repeat another run. In virtual time, repetitions of a session are identical, so they are
 * a single observation. Counted separately, they would give an interval without width.
 */
export function keepObservations(records: readonly RunRecord[]): RunRecord[] {
  const seen = new Set<string>();
  return records.filter((run) => {
    if (!run.simulated) return true;
    const key = JSON.stringify([cellName(run.arm, run.condition), run.metrics]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Whether all runs were simulated in virtual time, so that neither the link nor the machine could disturb them. */
export const areSimulated = (records: readonly RunRecord[]): boolean =>
  records.length > 0 && records.every(({ simulated }) => simulated);

/** Describes what varies between a cell's simulated runs; undefined for runs in real time. */
export function variationText(
  { runs, link, conditions = [] }: SessionSettings,
  records: readonly RunRecord[],
): string | undefined {
  if (runs < 2 || !records.some(({ simulated }) => simulated)) return undefined;
  const places = new Set(records.map(({ film_from_s = 0 }) => film_from_s)).size;
  const lossy = [link, ...conditions.flatMap((each) => each.link ?? [])].some(({ loss = 0 }) => loss > 0);
  const varied = [
    ...(places > 1 ? [`where in the film a run begins (${places} places, the same for all arms)`] : []),
    ...(lossy ? ['which packets are lost'] : []),
  ];
  return varied.length === 0
    ? 'nothing: the simulation is deterministic'
    : `${varied.join(', and ')}, by the seed; all else is deterministic`;
}
