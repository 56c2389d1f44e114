import { tooLate } from '../../emulation/network/measure/machine/late-rule.ts';
import type { RunOutcome } from '../../emulation/harness/runs/study.ts';
import type { TrafficResult } from './traffic-result.ts';

/** Why a run is no result: something was lost on the way, or the switch was late. Undefined where it is one. */
export function unusable({
  conservation,
  lateness_p99_us,
}: Pick<TrafficResult, 'conservation' | 'lateness_p99_us'>): RunOutcome | undefined {
  const wrong = lossOf(conservation);
  if (wrong !== undefined) return { kind: 'failed', reason: wrong };
  const late = tooLate(lateness_p99_us / 1000);
  return late === undefined ? undefined : { kind: 'invalid', reason: late };
}

function lossOf({
  frames_unaccounted,
  postcards_missing,
  tcp_records_lost,
}: TrafficResult['conservation']): string | undefined {
  if (frames_unaccounted !== 0) return `${frames_unaccounted} frames are not accounted for`;
  if (postcards_missing !== 0) return `${postcards_missing} postcards were lost; is the machine busy?`;
  if (tcp_records_lost !== 0)
    return `${tcp_records_lost} of the kernel's records were lost; is the machine busy?`;
  return undefined;
}
