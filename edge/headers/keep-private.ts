/**
 * Keeps a response out of shared caches, whatever the origin has allowed them: it is for one viewer only. A browser may
 * keep it, and asks again before each use, so that it takes nothing from another session either (RFC 9111 §5.2.2).
 */
export function keepPrivate(headers: Headers): void {
  const isStored = !/(^|,)\s*no-store\s*(,|$)/i.test(headers.get('Cache-Control') ?? '');
  headers.set('Cache-Control', isStored ? 'private, no-cache' : 'no-store');
}
