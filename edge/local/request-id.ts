import type { HttpRequest } from './http-server.ts';

/** Matches usable ids: the forms of proxies and tracing systems, but nothing that could fill or forge a log. */
const USABLE = /^[\w.:-]{1,64}$/;

/**
 * Returns the id of a request for the log: the id that a proxy in front of the edge has assigned, or else `fallback`.
 */
export function requestId({ headers }: Pick<HttpRequest, 'headers'>, fallback: string): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && USABLE.test(given) ? given : fallback;
}
