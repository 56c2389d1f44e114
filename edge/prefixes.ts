import { plainResponse, type Origin } from './origin.ts';

/**
 * Combines several origins by path prefix: `{ '/media/': media, '/': page }`. A request goes to the origin of the
 * longest matching prefix, with this prefix removed from the path.
 */
export function originsByPrefix(origins: Readonly<Record<string, Origin>>): Origin {
  const byLength = Object.entries(origins).sort(([a], [b]) => b.length - a.length);
  return (request) => {
    const url = new URL(request.url);
    const found = byLength.find(([prefix]) => url.pathname.startsWith(prefix));
    if (!found) return Promise.resolve(plainResponse(404, `nothing is served at ${url.pathname}`));
    const [prefix, origin] = found;
    url.pathname = `/${url.pathname.slice(prefix.length)}`;
    return origin(new Request(url, request));
  };
}
