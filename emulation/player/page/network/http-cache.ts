import type { WireRequest, Body, Head, Listener, Wire } from './wire.ts';

/**
 * The size of the cache, which keeps the most recent entries. Chromium keeps more, on disk, but a player repeats only
 * recent requests.
 */
const MOST_BYTES = 64 * 2 ** 20;
const NOT_MODIFIED = 304;

interface Entry {
  readonly head: Head;
  readonly body: Body;
  readonly bytes: number;
}

/**
 * A browser's HTTP cache (RFC 9111) in front of a wire. A complete response with an ETag is revalidated when it is
 * requested again, and an unchanged body is not sent again. The cache revalidates every time, even if the server allows
 * caching without revalidation.
 */
export class HttpCache implements Wire {
  readonly #wire: Wire;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  ask(asked: WireRequest, listener: Listener): () => void {
    const { url, method, headers } = asked;
    if (method !== 'GET' || headers.has('range')) return this.#wire.ask(asked, listener);
    const kept = this.#entries.get(url);
    const etag = kept?.head.headers.get('etag');
    const asking = etag === undefined ? headers : new Map([...headers, ['if-none-match', etag]]);
    let begun: Omit<Entry, 'bytes'> | undefined;
    let same: Entry | undefined;
    return this.#wire.ask(
      { ...asked, headers: asking },
      {
        began: (head, body) => {
          same = head.status === NOT_MODIFIED ? kept : undefined;
          if (same) listener.began(refreshed(same.head, head), same.body);
          else listener.began(head, body);
          begun = { head, body };
        },
        arrived: (bytes) => same ?? listener.arrived(bytes),
        ended: (bytes) => {
          if (begun && !same) this.#keep(url, { ...begun, bytes });
          listener.ended(same?.bytes ?? bytes);
        },
        failed: () => listener.failed(),
      },
    );
  }

  #keep(url: string, entry: Entry): void {
    const { status, headers } = entry.head;
    if (status !== 200 || !headers.has('etag') || headers.get('cache-control')?.includes('no-store')) return;
    this.#forget(url);
    this.#entries.set(url, entry);
    this.#bytes += entry.bytes;
    for (const oldest of this.#entries.keys()) if (this.#bytes > MOST_BYTES) this.#forget(oldest);
  }

  #forget(url: string): void {
    this.#bytes -= this.#entries.get(url)?.bytes ?? 0;
    this.#entries.delete(url);
  }
}

/** The head of a cached response, with the headers of the 304 response (RFC 9111 §4.3.4), which has no body. */
const refreshed = (kept: Head, { headers, sent_ms }: Head): Head => ({
  ...kept,
  headers: new Map([...kept.headers, ...[...headers].filter(([name]) => name !== 'content-length')]),
  sent_ms,
  transfer_bytes: 0,
});
