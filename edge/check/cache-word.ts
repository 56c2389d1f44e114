/** The result of the cache nearest to the client, according to a response's headers: `hit`, `miss`, or null if unknown. */
export function cacheResult(header: (name: string) => string | null): 'hit' | 'miss' | null {
  // RFC 9211: the cache nearest to the client comes last.
  const status = lastMember(header('Cache-Status'));
  if (status !== null) return /;\s*hit\b/.test(status) ? 'hit' : 'miss';
  for (const name of ['X-Cache', 'X-Cache-Status', 'X-Proxy-Cache', 'CF-Cache-Status']) {
    const word = lastMember(header(name));
    if (word === null) continue;
    if (/hit|stale|updating|revalidated/i.test(word)) return 'hit';
    if (/miss|expired|bypass|dynamic|pass/i.test(word)) return 'miss';
  }
  // X-Varnish has the id of the request and, for a hit, also the id of the request that filled the cache.
  const ids = header('X-Varnish');
  if (ids !== null) return /^\d+ \d+$/.test(ids.trim()) ? 'hit' : 'miss';
  return Number(header('Age') ?? 0) > 0 ? 'hit' : null;
}

const lastMember = (list: string | null): string | null => list?.split(',').at(-1)?.trim() ?? null;
