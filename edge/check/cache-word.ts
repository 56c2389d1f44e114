/** What a response's headers say of the cache nearest to the client: `hit`, `miss`, or nothing that is understood. */
export function cacheWord(header: (name: string) => string | null): 'hit' | 'miss' | null {
  // RFC 9211: of several caches the nearest to the client comes last.
  const status = lastOf(header('Cache-Status'));
  if (status !== null) return /;\s*hit\b/.test(status) ? 'hit' : 'miss';
  for (const name of ['X-Cache', 'X-Cache-Status', 'X-Proxy-Cache', 'CF-Cache-Status']) {
    const word = lastOf(header(name));
    if (word === null) continue;
    if (/hit|stale|updating|revalidated/i.test(word)) return 'hit';
    if (/miss|expired|bypass|dynamic|pass/i.test(word)) return 'miss';
  }
  // Varnish names the request, and with a hit also the one that filled the cache.
  const ids = header('X-Varnish');
  if (ids !== null) return /^\d+ \d+$/.test(ids.trim()) ? 'hit' : 'miss';
  return Number(header('Age') ?? 0) > 0 ? 'hit' : null;
}

const lastOf = (list: string | null): string | null => list?.split(',').at(-1)?.trim() ?? null;
