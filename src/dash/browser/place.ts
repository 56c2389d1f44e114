import { ask } from '../player.ts';

/** Chromium's network information, which other browsers have not. */
interface Connection {
  readonly type?: string;
  readonly effectiveType?: string;
}

/** Names the network, as far as the browser tells it, and the origin of a film by its manifest's address. */
export function placeOf(manifest: string | object | undefined): string {
  const { type, effectiveType } = ask(() => (navigator as { connection?: Connection }).connection) ?? {};
  const origin =
    typeof manifest === 'string' ? ask(() => new URL(manifest, document.baseURI).origin) : undefined;
  return [type, effectiveType, origin].map((part) => part ?? '').join(' ');
}
