/** Missing headers that a page of another origin needs to read the receipt. */
export interface Unreadable {
  /** The receipt's headers that Access-Control-Expose-Headers does not list. */
  readonly notExposed: readonly string[];
  /** Whether Timing-Allow-Origin is missing, so that the page has no network timing. */
  readonly hasNoTiming: boolean;
}

const splitList = (value: string | null): string[] =>
  (value ?? '').split(',').map((each) => each.trim().toLowerCase());

/**
 * Returns what prevents a page of another origin from reading the receipt; null if nothing does, or if pages of other
 * origins may not play the content at all.
 */
export function findUnreadable(header: (name: string) => string | null): Unreadable | null {
  if (header('Access-Control-Allow-Origin') === null) return null;
  const exposed = splitList(header('Access-Control-Expose-Headers'));
  const notExposed = ['CMSD-Dynamic', 'Server-Timing'].filter(
    (name) => !exposed.includes('*') && !exposed.includes(name.toLowerCase()),
  );
  const hasNoTiming = header('Timing-Allow-Origin') === null;
  return notExposed.length > 0 || hasNoTiming ? { notExposed, hasNoTiming } : null;
}

/** Returns the documentation page for the server that sent a response. */
export function findDocsPage(header: (name: string) => string | null): string {
  const server = `${header('Server') ?? ''} ${header('Via') ?? ''}`;
  if (header('X-Varnish') !== null || /varnish/i.test(server)) return 'docs/edge/varnish.md';
  if (header('X-Served-By')?.startsWith('cache-')) return 'docs/edge/fastly.md';
  if (/nginx/i.test(server)) return 'docs/edge/nginx.md';
  if (/caddy|haproxy|envoy|litespeed|h2o/i.test(server)) return 'docs/edge/others.md';
  return 'docs/edge/index.md#is-it-pacing';
}
