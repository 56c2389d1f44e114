/** Null for what is no absolute URL. Fastly Compute has no URL.canParse. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The origin of what is http(s)://HOST[:PORT] and no more; null for anything else. */
export function bareOrigin(text: string): string | null {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) return null;
  return url.origin;
}
