import { plainResponse, type Origin } from './origin.ts';
import { bareOrigin, parseUrl } from './parse-url.ts';

/**
 * Matches paths of additional origins: `/via/https/cdn.example:8443/path` is `https://cdn.example:8443/path`, if that
 * origin is allowed. Relative URLs in such a manifest stay below `/via/...`.
 */
const VIA = /^\/via\/(https?)\/([^/]+)(\/.*)$/s;

/**
 * Returns the path under which an edge serves an absolute URL. A page requests this path to play the URL through the
 * edge.
 */
export function viaPath(url: string | URL): string {
  const { protocol, host, pathname, search } = new URL(url);
  return `/via/${protocol.replace(':', '')}/${host}${pathname}${search}`;
}

export interface MountOptions {
  /** Serves every path that does not begin with `/via/`. */
  readonly main: Origin;
  /** The additional origins, each as `scheme://host[:port]`. */
  readonly allowed: readonly string[];
  /** The edge's setting that lists the allowed origins, for the message that refuses another origin. */
  readonly setting: string;
  /** Creates the Origin for an allowed origin: `urlOrigin` with the runtime's options. */
  readonly open: (origin: string) => Origin;
}

/** Combines the main origin and the allowed origins. Throws an Error that names an entry that is not an origin. */
export function mountOrigins({ main, allowed, setting, open }: MountOptions): Origin {
  const mounted = new Map(allowed.map((entry) => [parseOrigin(entry), open(entry)]));
  return async (request) => {
    const url = new URL(request.url);
    if (!url.pathname.startsWith('/via/')) return main(request);
    const [, scheme = '', host = '', path = ''] = VIA.exec(url.pathname) ?? [];
    const name = parseUrl(`${scheme}://${host}`)?.origin ?? null;
    if (name === null) return plainResponse(404, 'expected /via/SCHEME/HOST[:PORT]/PATH');
    const origin = mounted.get(name);
    if (!origin)
      return plainResponse(403, `${name} is not an allowed origin; allow it with ${setting} ${name}`);
    url.pathname = path;
    return origin(new Request(url, request));
  };
}

/** Reads an entry of the list of allowed origins. Throws an Error that names the entry if it is not an origin. */
export function parseOrigin(entry: string): string {
  const origin = bareOrigin(entry);
  if (origin === null) {
    throw new Error(`allowed origin '${entry}' is not usable; expected exactly http(s)://HOST[:PORT]`);
  }
  return origin;
}
