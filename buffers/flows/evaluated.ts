import type { trafficResult } from '../traffic/traffic-result.ts';

/** What was measured in a run that is a result, for what is kept of it. */
export interface Evaluated extends ReturnType<typeof trafficResult> {
  /** ISO 8601. */
  readonly started_at: string;
}
