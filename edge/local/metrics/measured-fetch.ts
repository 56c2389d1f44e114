import { milliseconds, type Milliseconds } from '../../../src/units.ts';
import { isTimeout, type FetchWithin } from '../../fetch-within.ts';
import { fetchAsSent } from '../fetch-as-sent.ts';
import type { OriginOutcome } from './edge-metrics.ts';

/** The edge's fetch. Calls `note` for each request to the origin. */
export const measuredFetch =
  (note: (outcome: OriginOutcome, time: Milliseconds) => void, fetch = fetchAsSent): FetchWithin =>
  async (request, timeout, onStalled) => {
    const began = performance.now();
    const done = (outcome: OriginOutcome) => note(outcome, milliseconds(performance.now() - began));
    try {
      const answer = await fetch(request, timeout, onStalled);
      done(statusClass(answer.status));
      return answer;
    } catch (error) {
      done(isTimeout(error) ? 'timeout' : request.signal.aborted ? 'aborted' : 'unreachable');
      throw error;
    }
  };

const statusClass = (status: number): OriginOutcome =>
  status >= 500 ? '5xx' : status >= 400 ? '4xx' : status >= 300 ? '3xx' : '2xx';
