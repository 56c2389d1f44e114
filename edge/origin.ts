/**
 * Where content comes from. An origin gets GET and HEAD requests whose URL is free of CMCD, and answers
 * ranges and conditional requests itself. It does not throw, whatever a client has sent.
 */
export type Origin = (request: Request) => Promise<Response>;

/** A response whose body is one line that says what is wrong. */
export const plainResponse = (status: number, line: string, headers: Record<string, string> = {}): Response =>
  new Response(`${line}\n`, {
    status,
    headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
