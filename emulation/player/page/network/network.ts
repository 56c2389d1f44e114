import { soon, type Host } from '../host.ts';
import type { WireRequest, Listener, Wire } from './wire.ts';

/** Sends the requests of a page, and answers those for `data:` URLs itself. */
export class Network {
  readonly host: Host;
  readonly #wire: Wire;

  constructor(host: Host, wire: Wire) {
    this.host = host;
    this.#wire = wire;
  }

  /** Resolves an address relative to the page. Throws an Error if it is invalid. */
  resolve(url: string): string {
    return new URL(url, this.host.url).href;
  }

  /** Starts a request. Returns a function that aborts it. */
  ask(asked: WireRequest, listener: Listener): () => void {
    if (asked.url.startsWith('data:')) return this.#answer(asked.url, listener);
    return this.#wire.ask(asked, listener);
  }

  /** Answers a request for a `data:` URL (RFC 2397, without base64). */
  #answer(url: string, listener: Listener): () => void {
    const [, type = '', text = ''] = /^data:([^,]*),(.*)$/s.exec(url) ?? [];
    const bytes = new TextEncoder().encode(decodeURIComponent(text));
    const headers = new Map([['content-type', type]]);
    return soon(this.host, () => {
      const body = {
        write: (into: Uint8Array, from: number) => into.set(bytes.subarray(from, from + into.length)),
      };
      listener.began({ status: 200, statusText: 'OK', headers, size_bytes: bytes.length }, body);
      listener.ended(bytes.length);
    });
  }
}
