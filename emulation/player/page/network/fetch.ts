import type { Network } from './network.ts';
import type { Body, Head } from './wire.ts';

interface RequestInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

/** `Request` of the page. */
export class PageRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;

  constructor(network: Network, asked: string | URL | PageRequest, init: RequestInit = {}) {
    const before = asked instanceof PageRequest ? asked : undefined;
    this.url = asked instanceof PageRequest ? asked.url : network.resolve(asked.toString());
    this.method = (init.method ?? before?.method ?? 'GET').toUpperCase();
    this.headers = new Headers(init.headers ?? before?.headers);
    this.body = init.body ?? before?.body;
    this.signal = init.signal ?? before?.signal ?? undefined;
  }
}

interface Read {
  readonly done: boolean;
  readonly value: Uint8Array | undefined;
}

/**
 * A body that is read as it arrives. It uses callbacks internally: if a page's promise called this code, Node would run
 * the call only when the process becomes idle, not within the event.
 */
class Stream {
  readonly #network: Network;
  readonly #body: Body;
  readonly #giveUp: () => void;
  #arrived = 0;
  #given = 0;
  #over = false;
  #error: Error | undefined;
  #waiting: { readonly heard: () => void; readonly reject: (error: unknown) => void } | undefined;

  constructor(network: Network, body: Body, giveUp: () => void) {
    this.#network = network;
    this.#body = body;
    this.#giveUp = giveUp;
  }

  update(bytes: number, over: boolean): void {
    this.#arrived = bytes;
    this.#over ||= over;
    this.#waiting?.heard();
  }

  fail(error: Error): void {
    this.#error = error;
    this.#waiting?.reject(error);
  }

  /** Resolves with the data that have arrived since the last read. If there are none, waits for the next data. */
  read(): Promise<Read> {
    return new this.#network.host.builtins.Promise<Read>((resolve, reject) => {
      this.#wait(() => {
        if (this.#given === this.#arrived && !this.#over) return;
        this.#waiting = undefined;
        const value = this.#given === this.#arrived ? undefined : this.#take();
        resolve({ done: value === undefined, value });
      }, reject);
    });
  }

  whenWhole(resolve: (buffer: ArrayBuffer) => void, reject: (error: unknown) => void): void {
    this.#wait(() => {
      if (!this.#over) return;
      this.#waiting = undefined;
      resolve(this.#take().buffer);
    }, reject);
  }

  cancel(): Promise<void> {
    if (!this.#over) this.#giveUp();
    this.#given = this.#arrived;
    this.update(this.#arrived, true);
    return this.#network.host.builtins.Promise.resolve();
  }

  #take(): Uint8Array<ArrayBuffer> {
    const value = new this.#network.host.builtins.Uint8Array(this.#arrived - this.#given);
    this.#body.write(value, this.#given);
    this.#given = this.#arrived;
    return value;
  }

  #wait(heard: () => void, reject: (error: unknown) => void): void {
    if (this.#error) {
      reject(this.#error);
      return;
    }
    this.#waiting = { heard, reject };
    heard();
  }
}

/** `Response` of the page. */
class PageResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: { getReader(): Stream };
  bodyUsed = false;
  readonly #network: Network;
  readonly #stream: Stream;

  constructor(network: Network, url: string, head: Head, stream: Stream) {
    this.#network = network;
    this.#stream = stream;
    this.url = url;
    ({ status: this.status, statusText: this.statusText } = head);
    this.ok = head.status >= 200 && head.status < 300;
    this.headers = new Headers([...head.headers]);
    this.body = { getReader: () => stream };
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#read((buffer) => buffer);
  }

  text(): Promise<string> {
    return this.#read(decodeText);
  }

  json(): Promise<unknown> {
    const { JSON } = this.#network.host.builtins;
    return this.#read((buffer) => JSON.parse(decodeText(buffer)) as unknown);
  }

  #read<Value>(as: (buffer: ArrayBuffer) => Value): Promise<Value> {
    this.bodyUsed = true;
    return new this.#network.host.builtins.Promise<Value>((resolve, reject) => {
      this.#stream.whenWhole((buffer) => {
        try {
          resolve(as(buffer));
        } catch (error) {
          const failure = error as Error;
          reject(failure);
        }
      }, reject);
    });
  }
}

const decodeText = (buffer: ArrayBuffer): string => new TextDecoder().decode(buffer);

/** `fetch` of a page. */
export const makeFetch =
  (network: Network) =>
  (asked: string | URL | PageRequest, init?: RequestInit): Promise<PageResponse> => {
    const { builtins: own } = network.host;
    return new own.Promise<PageResponse>((resolve, reject) => {
      const request = new PageRequest(network, asked, init);
      const { signal, url, method } = request;
      let stream: Stream | undefined;
      const fail = (error: Error) => {
        reject(error);
        stream?.fail(error);
      };
      const aborted = () => new DOMException('the request was given up', 'AbortError');
      if (signal?.aborted) {
        fail(aborted());
        return;
      }
      const giveUp = network.ask(
        {
          ...{ url, method },
          headers: new Map(request.headers),
          body: typeof request.body === 'string' ? request.body : undefined,
          initiator: 'fetch',
        },
        {
          began: (head, body) => {
            stream = new Stream(network, body, () => giveUp());
            resolve(new PageResponse(network, url, head, stream));
          },
          arrived: (bytes) => stream?.update(bytes, false),
          ended: (bytes) => stream?.update(bytes, true),
          failed: () => fail(new own.TypeError('Failed to fetch')),
        },
      );
      signal?.addEventListener('abort', () => {
        giveUp();
        fail(aborted());
      });
    });
  };
