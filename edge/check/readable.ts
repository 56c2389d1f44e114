/** The headers by which a page of another origin may read the receipt; each is null if it is as it should be. */
export interface Unreadable {
  /** The names of the receipt's headers that are missing in Access-Control-Expose-Headers. */
  readonly notExposed: readonly string[];
  /** Whether Timing-Allow-Origin is missing, without which the page has no times of the network. */
  readonly hasNoTiming: boolean;
}

const listOf = (value: string | null): string[] =>
  (value ?? '').split(',').map((each) => each.trim().toLowerCase());

/** What keeps a page of another origin from the receipt; null if nothing does, or if no such page may play. */
export function unreadable(header: (name: string) => string | null): Unreadable | null {
  if (header('Access-Control-Allow-Origin') === null) return null;
  const exposed = listOf(header('Access-Control-Expose-Headers'));
  const notExposed = ['CMSD-Dynamic', 'Server-Timing'].filter(
    (name) => !exposed.includes('*') && !exposed.includes(name.toLowerCase()),
  );
  const hasNoTiming = header('Timing-Allow-Origin') === null;
  return notExposed.length > 0 || hasNoTiming ? { notExposed, hasNoTiming } : null;
}

/** The page of the documentation about the server that answers. */
export function pageOf(header: (name: string) => string | null): string {
  const server = `${header('Server') ?? ''} ${header('Via') ?? ''}`;
  if (header('X-Varnish') !== null || /varnish/i.test(server)) return 'docs/edge/varnish.md';
  if (header('X-Served-By')?.startsWith('cache-')) return 'docs/edge/fastly.md';
  if (/nginx/i.test(server)) return 'docs/edge/nginx.md';
  if (/caddy|haproxy|envoy|litespeed|h2o/i.test(server)) return 'docs/edge/others.md';
  return 'docs/edge/index.md#is-it-pacing';
}
