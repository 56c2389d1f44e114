import { attempt } from '../attempt.ts';
import type { DashPlayer, FragmentRequest } from './player.ts';

/**
 * Gives up a request, or the retry that dash.js waits for, so that dash.js asks for the segment anew and at once. A request of a
 * period that does not play yet is left to dash.js's own retries.
 */
export function giveUp(player: DashPlayer, request: FragmentRequest): void {
  attempt(() => {
    const stream = player.getActiveStream();
    for (const processor of (stream.getStreamProcessors ?? stream.getProcessors)()) {
      const loader = processor.getFragmentModel();
      if (loader.getRequests({ state: 'loading' }).includes(request)) loader.abortRequests();
    }
  });
}
