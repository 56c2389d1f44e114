import { timeDecisions } from './decision-time.ts';

/** A Compute service that measures the policy's time itself: each request runs in a fresh instance, as on Fastly. */
addEventListener('fetch', (event) => {
  const { respondWith } = event as unknown as { respondWith: (answer: Response) => void };
  respondWith.call(event, new Response(JSON.stringify(timeDecisions(1000))));
});
