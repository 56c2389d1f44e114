import { monotonic_ms } from '../../emulation/ground/clock/monotonic.ts';
import type { Origin } from '../../edge/origin.ts';
import type { Feed } from './feed.ts';

/** Answers `/measures.json?since=N` from the feed. Calls `onAsked` with the query. */
export const measuresRoute =
  (feed: Feed, onAsked: (query: URLSearchParams) => void = () => undefined): Origin =>
  (request) => {
    const query = new URL(request.url).searchParams;
    onAsked(query);
    const since = query.get('since');
    return Promise.resolve(
      Response.json(feed.after(since === null ? undefined : Number(since), monotonic_ms()), {
        headers: { 'Cache-Control': 'no-store' },
      }),
    );
  };
