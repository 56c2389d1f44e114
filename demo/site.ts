import { createHandler, type Handler } from '../edge/handler.ts';
import { directoryOrigin } from '../edge/local/directory-origin.ts';
import type { Origin } from '../edge/origin.ts';
import { paceLimits } from '../edge/policy.ts';
import { originsByPrefix } from '../edge/prefixes.ts';
import { fetchAsSent } from '../edge/local/fetch-as-sent.ts';
import { urlOrigin } from '../edge/url-origin.ts';
import { mountOrigins } from '../edge/via.ts';
import { loopedFilm } from '../media/looped-film.ts';
import { chooseCongestionControl } from './choose-congestion-control.ts';
import type { DemoFacts } from './facts.ts';

export interface SiteOptions {
  /** The folder of the built page. */
  readonly page: string;
  /** The folder of the film, and how often it is repeated. */
  readonly film: string;
  readonly times: number;
  /** The page asks for these only once the edge runs, and the edge knows whether it can pace. */
  readonly facts: DemoFacts;
  /** Origins that pages may play from, besides this one. */
  readonly allowed: readonly string[];
  /** Further origins by the prefix of their paths. */
  readonly further?: Readonly<Record<string, Origin>>;
}

/** The demo's edge: film, page and facts. */
export async function demoHandler({
  page,
  film,
  times,
  facts,
  allowed,
  further = {},
}: SiteOptions): Promise<Handler> {
  const origin = mountOrigins({
    main: originsByPrefix({
      '/film/': await loopedFilm(await directoryOrigin(film), film, times),
      '/demo.json': () => Promise.resolve(Response.json(facts)),
      '/': withIndex(await directoryOrigin(page)),
      ...further,
    }),
    allowed,
    open: (url) => urlOrigin(url, { fetch: fetchAsSent }),
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
