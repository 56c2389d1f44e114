/**
 * Returns a function that reads the headers of an XMLHttpRequest or a `fetch` response. For any other value, the
 * function returns undefined. All headers of an XMLHttpRequest are read at once, because reading a single header that
 * another origin hides would log an error.
 */
export function readHeaders(response: unknown): (name: string) => string | undefined {
  const { headers, getAllResponseHeaders } = (response ?? {}) as Partial<Response & XMLHttpRequest>;
  if (headers) return (name) => headers.get(name) ?? undefined;
  const lines = getAllResponseHeaders?.call(response) ?? '';
  return (name) => new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'im').exec(lines)?.[1];
}
