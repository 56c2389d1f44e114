import { decidePace, paceLimits } from '../../../../edge/policy.ts';
import type { Kbps } from '../../../../src/units.ts';
import { printReceipt, type Receipt } from '../../../../src/wire/receipt.ts';
import type { Body, Head, WireRequest } from '../network/wire.ts';
import type { FilmServer, ServedFile } from './film-server.ts';

const OK = { status: 200, statusText: 'OK' };
const NOT_MODIFIED = { status: 304, statusText: 'Not Modified' };
const ABSENT = { status: 404, statusText: 'Not Found' };
const NOT_FOUND: ServedFile = { type: 'text/plain', size_bytes: 0, begins: new Uint8Array(0) };

/** An edge's response, without the timing of the network. */
export interface Answer {
  readonly size_bytes: number;
  /** The response's pace; null if it is unpaced. */
  readonly pace: Kbps | null;
  readonly body: Body;
  /** Makes the head of the response, with this receipt, for a request that was sent at `sent_ms`. */
  readonly head: (receipt: Receipt, sent_ms: number) => Head;
}

/** The project's edge in front of a server of one video. */
export class FilmEdge {
  readonly #server: FilmServer;
  readonly #limits = paceLimits();

  constructor(server: FilmServer) {
    this.#server = server;
  }

  answer({ url, headers }: WireRequest): Answer {
    const file = this.#server.get(new URL(url).pathname);
    const etag = file && `"${file.size_bytes}"`;
    const same = etag !== undefined && headers.get('if-none-match') === etag;
    const { begins, type } = file ?? NOT_FOUND;
    const size_bytes = same || !file ? 0 : file.size_bytes;
    const asked = { url, headers: { get: (name: string) => headers.get(name.toLowerCase()) ?? null } };
    const { pace, reason } = decidePace(asked, this.#limits);
    return {
      size_bytes,
      pace,
      body: { write: (into, from) => into.set(begins.subarray(from, from + into.length)) },
      head: (receipt, sent_ms) => ({
        ...(same ? NOT_MODIFIED : file ? OK : ABSENT),
        headers: new Map([
          ['content-type', type],
          ['content-length', String(size_bytes)],
          ...(etag === undefined ? [] : [['etag', etag] as const]),
          ...Object.entries(printReceipt({ ...receipt, reason })).map(
            ([name, value]) => [name.toLowerCase(), value] as const,
          ),
        ]),
        size_bytes,
        sent_ms,
      }),
    };
  }
}
