/**
 * A source of content. An origin receives GET and HEAD requests without CMCD in the URL, and handles ranges and
 * conditional requests. It must not throw, whatever a client has sent.
 */
export type Origin = (request: Request) => Promise<Response>;

/** The status of a response whose client disconnected before the origin's response arrived. nginx logs the same status. */
export const CLIENT_GONE = 499;

/** A response whose body is one line that describes a problem. */
export const plainResponse = (status: number, line: string, headers: Record<string, string> = {}): Response =>
  new Response(`${line}\n`, {
    status,
    headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
