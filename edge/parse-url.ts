/** Parses a URL, absolute or relative to `base`; null if invalid. Needed because Fastly Compute has no URL.canParse. */
export function parseUrl(text: string, base?: URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Returns the origin of a URL of the form http(s)://HOST[:PORT]; null for any other text. */
export function bareOrigin(text: string): string | null {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) return null;
  return url.origin;
}
