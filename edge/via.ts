import { plainResponse, type Origin } from './origin.ts';
import { bareOrigin, parseUrl } from './parse-url.ts';

/**
 * Further fixed origins under one edge: the path `/via/https/cdn.example:8443/path` stands for
 * `https://cdn.example:8443/path`, if that origin is allowed. Relative URLs in a manifest from there stay below `/via/...`.
 */
const VIA = /^\/via\/(https?)\/([^/]+)(\/.*)$/s;

/** The path under which an edge serves an absolute URL; a page requests it to play the URL through the edge. */
export function viaPath(url: string | URL): string {
  const { protocol, host, pathname, search } = new URL(url);
  return `/via/${protocol.replace(':', '')}/${host}${pathname}${search}`;
}

export interface MountOptions {
  /** Serves every path that does not begin with `/via/`. */
  readonly main: Origin;
  /** The other origins, each as `scheme://host[:port]`. */
  readonly allowed: readonly string[];
  /** Creates the origin for an allowed one: urlOrigin with the runtime's options. */
  readonly open: (origin: string) => Origin;
}

/** Combines the main origin and the allowed ones. Throws an Error that names an entry that is not an origin. */
export function mountOrigins({ main, allowed, open }: MountOptions): Origin {
  const mounted = new Map(allowed.map((entry) => [parseOrigin(entry), open(entry)]));
  return async (request) => {
    const url = new URL(request.url);
    if (!url.pathname.startsWith('/via/')) return main(request);
    const [, scheme = '', host = '', path = ''] = VIA.exec(url.pathname) ?? [];
    const name = parseUrl(`${scheme}://${host}`)?.origin ?? null;
    if (name === null) return plainResponse(404, 'expected /via/SCHEME/HOST[:PORT]/PATH');
    const origin = mounted.get(name);
    if (!origin)
      return plainResponse(
        403,
        `${name} is not an allowed origin; start the edge with --allow-origin ${name}`,
      );
    url.pathname = path;
    return origin(new Request(url, request));
  };
}

/** Reads an entry of the list of allowed origins. Throws an Error that names one that is not an origin. */
export function parseOrigin(entry: string): string {
  const origin = bareOrigin(entry);
  if (origin === null) {
    throw new Error(`allowed origin '${entry}' is not usable; expected http(s)://HOST[:PORT] and no more`);
  }
  return origin;
}
