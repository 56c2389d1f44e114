/**
 * Returns a function that reads the headers of an XMLHttpRequest or of a fetched response; of anything else it reads none. Asking
 * an XMLHttpRequest for a header that another origin hides logs an error, so all of them are read.
 */
export function readHeaders(response: unknown): (name: string) => string | undefined {
  const { headers, getAllResponseHeaders } = (response ?? {}) as Partial<Response & XMLHttpRequest>;
  if (headers) return (name) => headers.get(name) ?? undefined;
  const lines = getAllResponseHeaders?.call(response) ?? '';
  return (name) => new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'im').exec(lines)?.[1];
}
