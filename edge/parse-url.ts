/** Null for what is no absolute URL. Fastly Compute has no URL.canParse. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
