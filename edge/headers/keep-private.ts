/**
 * Keeps a response for a single viewer out of shared caches, whatever the origin allows. A browser may store the
 * response, but must revalidate it before each use, so that a later session does not reuse it (RFC 9111 §5.2.2).
 */
export function keepPrivate(headers: Headers): void {
  const isStored = !/(^|,)\s*no-store\s*(,|$)/i.test(headers.get('Cache-Control') ?? '');
  headers.set('Cache-Control', isStored ? 'private, no-cache' : 'no-store');
}
