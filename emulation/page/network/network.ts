import { soon, type Host } from '../host.ts';
import type { ResourceEntry } from './resource-timing.ts';
import type { Asked, Listener, Wire } from './wire.ts';

/** A response's headers, as Resource Timing counts them (§4.3, `transferSize`). */
const HEADER_BYTES = 300;

/** The page's requests: over the wire, and into its Resource Timing. */
export class Network {
  readonly host: Host;
  readonly #wire: Wire;
  readonly #note: (entry: ResourceEntry) => void;

  constructor(host: Host, wire: Wire, note: (entry: ResourceEntry) => void) {
    this.host = host;
    this.#wire = wire;
    this.#note = note;
  }

  /** An address as the page means it. Throws an Error for what is none. */
  resolve(url: string): string {
    return new URL(url, this.host.url).href;
  }

  /** Returns what gives the request up. */
  ask(asked: Asked, initiatorType: string, listener: Listener): () => void {
    if (asked.url.startsWith('data:')) return this.#answer(asked.url, listener);
    const { clock } = this.host;
    const startTime = clock.now_ms;
    let [responseStart, requestStart, status, transfer_bytes] = [0, 0, 0, undefined as number | undefined];
    let protocol = '';
    const note = (encodedBodySize: number) =>
      this.#note({
        name: asked.url,
        entryType: 'resource',
        ...{ initiatorType, startTime, requestStart, responseStart },
        fetchStart: startTime,
        responseEnd: clock.now_ms,
        duration: clock.now_ms - startTime,
        workerStart: 0,
        transferSize: HEADER_BYTES + (transfer_bytes ?? encodedBodySize),
        encodedBodySize,
        decodedBodySize: encodedBodySize,
        nextHopProtocol: protocol,
        deliveryType: '',
        responseStatus: status,
      });
    return this.#wire.ask(asked, {
      begins: (head, body) => {
        [responseStart, requestStart] = [clock.now_ms, head.sent_ms ?? startTime];
        ({ status, transfer_bytes } = head);
        protocol = 'http/1.1';
        listener.begins(head, body);
      },
      arrived: (bytes) => listener.arrived(bytes),
      ended: (bytes) => {
        note(bytes);
        listener.ended(bytes);
      },
      failed: () => listener.failed(),
    });
  }

  /** A `data:` URL answers itself (RFC 2397, without base64). */
  #answer(url: string, listener: Listener): () => void {
    const [, type = '', text = ''] = /^data:([^,]*),(.*)$/s.exec(url) ?? [];
    const bytes = new TextEncoder().encode(decodeURIComponent(text));
    const headers = new Map([['content-type', type]]);
    return soon(this.host, () => {
      const body = {
        write: (into: Uint8Array, from: number) => into.set(bytes.subarray(from, from + into.length)),
      };
      listener.begins({ status: 200, statusText: 'OK', headers, size_bytes: bytes.length }, body);
      listener.ended(bytes.length);
    });
  }
}
