import { attempt } from '../../attempt.ts';

/** The Network Information API, available only in Chromium. */
interface Connection {
  readonly type?: string;
  readonly effectiveType?: string;
}

/**
 * Returns a name for the network and the server: the connection type, if the browser reports it, and the origin of the
 * manifest's URL.
 */
export function describePlace(manifest: string | object | undefined): string {
  const { type, effectiveType } = attempt(() => (navigator as { connection?: Connection }).connection) ?? {};
  const origin =
    typeof manifest === 'string' ? attempt(() => new URL(manifest, document.baseURI).origin) : undefined;
  // Unknown parts are empty.
  return [type, effectiveType, origin].join(' ');
}
