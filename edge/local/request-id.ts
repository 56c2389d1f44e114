import type { HttpRequest } from './http-server.ts';

/** The ids that are accepted: those of proxies and tracing systems, and none that could fill or forge a log. */
const USABLE = /^[\w.:-]{1,64}$/;

/** The id of a request in the log: that assigned by a proxy in front of the edge, or else `fallback`. */
export function requestId({ headers }: Pick<HttpRequest, 'headers'>, fallback: string): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && USABLE.test(given) ? given : fallback;
}
