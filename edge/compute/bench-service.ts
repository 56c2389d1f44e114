import { assignUnits } from '../../src/testing/assign-units.ts';
import { timeDecisions } from './decision-time.ts';

interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Response): void;
}

/**
 * A Compute service that runs single parts of the edge, each request in a fresh instance as on Fastly. /assign returns
 * the arms of 10,000 units; every other path returns the time that the policy takes.
 */
addEventListener('fetch', (event) => {
  const asked = event as FetchEvent;
  const { pathname } = new URL(asked.request.url);
  const result = pathname === '/assign' ? assignUnits() : timeDecisions(1000);
  asked.respondWith(new Response(JSON.stringify(result)));
});
