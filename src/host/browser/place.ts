import { attempt } from '../../attempt.ts';

/** Chromium's Network Information API, which other browsers do not have. */
interface Connection {
  readonly type?: string;
  readonly effectiveType?: string;
}

/** Returns a name for the network, as far as the browser tells about it, and the origin of the manifest's URL. */
export function placeOf(manifest: string | object | undefined): string {
  const { type, effectiveType } = attempt(() => (navigator as { connection?: Connection }).connection) ?? {};
  const origin =
    typeof manifest === 'string' ? attempt(() => new URL(manifest, document.baseURI).origin) : undefined;
  // What is not known is an empty part.
  return [type, effectiveType, origin].join(' ');
}
