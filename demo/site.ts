import { createHandler, type Handler } from '../edge/handler.ts';
import { directoryOrigin } from '../edge/local/directory-origin.ts';
import type { Origin } from '../edge/origin.ts';
import { paceLimits } from '../edge/policy.ts';
import { originsByPrefix } from '../edge/prefixes.ts';
import { ranged } from '../edge/ranged.ts';
import { fetchAsSent } from '../edge/local/fetch-as-sent.ts';
import { urlOrigin } from '../edge/url-origin.ts';
import { mountOrigins } from '../edge/via.ts';
import { loopedFilm } from '../media/looped-film.ts';
import { armPrefix, ARMS } from './arms.ts';
import { chooseCongestionControl } from './choose-congestion-control.ts';
import type { DemoFacts } from './facts.ts';

export interface SiteOptions {
  /** The folder of the built page. */
  readonly page: string;
  /** The folder of the content. */
  readonly film: string;
  /** The number of times that the content is repeated. */
  readonly times: number;
  /**
   * Facts for the page. They are complete when the page requests them, because the edge then runs and knows whether it
   * can pace.
   */
  readonly facts: DemoFacts;
  /** Other origins from which pages may play content. */
  readonly allowed: readonly string[];
  /** Answers `/measures.json`. */
  readonly measures: Origin;
}

/**
 * Disables the browser's cache for the content, because a restarted player must download again for its traffic to show.
 */
const uncached =
  (origin: Origin): Origin =>
  async (request) => {
    const response = await origin(request);
    response.headers.set('Cache-Control', 'no-store');
    return response;
  };

/**
 * Returns the handler of the demo's edge, which serves the page, its facts and measurements, and the content below the
 * prefix of each arm.
 */
export async function demoHandler({
  page,
  film,
  times,
  facts,
  allowed,
  measures,
}: SiteOptions): Promise<Handler> {
  const content = mountOrigins({
    main: originsByPrefix({ '/film/': ranged(await loopedFilm(await directoryOrigin(film), film, times)) }),
    allowed,
    setting: '--allow-origin',
    open: (url) => urlOrigin(url, { fetch: fetchAsSent }),
  });
  const origin = originsByPrefix({
    ...Object.fromEntries(ARMS.map((arm) => [armPrefix(arm), uncached(content)])),
    '/demo.json': () => Promise.resolve(Response.json(facts)),
    '/measures.json': measures,
    '/': withIndex(await directoryOrigin(page)),
  });
  return chooseCongestionControl(createHandler({ origin, limits: paceLimits({}) }));
}

const withIndex =
  (origin: Origin): Origin =>
  (request) => {
    const url = new URL(request.url);
    if (url.pathname === '/') url.pathname = '/index.html';
    return origin(new Request(url, request));
  };
