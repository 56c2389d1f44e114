import { timeDecisions } from './decision-time.ts';

/** A Compute service that times the policy within itself: one request is one fresh instance, as on Fastly. */
addEventListener('fetch', (event) => {
  const { respondWith } = event as unknown as { respondWith: (answer: Response) => void };
  respondWith.call(event, new Response(JSON.stringify(timeDecisions(1000))));
});
