/** Missing headers that a page of another origin needs to read the receipt. */
export interface Unreadable {
  /** The names of the receipt's headers that are missing in Access-Control-Expose-Headers. */
  readonly notExposed: readonly string[];
  /** Whether Timing-Allow-Origin is missing, so that the page has no network timing. */
  readonly hasNoTiming: boolean;
}

const splitList = (value: string | null): string[] =>
  (value ?? '').split(',').map((each) => each.trim().toLowerCase());

/**
 * The problems for a page of another origin that reads the receipt; null if there are none, or if no such page may play the
 * content.
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

/** The documentation page for the responding server. */
export function findDocsPage(header: (name: string) => string | null): string {
  const server = `${header('Server') ?? ''} ${header('Via') ?? ''}`;
  if (header('X-Varnish') !== null || /varnish/i.test(server)) return 'docs/edge/varnish.md';
  if (header('X-Served-By')?.startsWith('cache-')) return 'docs/edge/fastly.md';
  if (/nginx/i.test(server)) return 'docs/edge/nginx.md';
  if (/caddy|haproxy|envoy|litespeed|h2o/i.test(server)) return 'docs/edge/others.md';
  return 'docs/edge/index.md#is-it-pacing';
}
