import { Target } from '../document/target.ts';
import { soon } from '../host.ts';
import type { Network } from './network.ts';
import type { Body, Head } from './wire.ts';

/** The minimum interval of progress events (XHR §3.6.6). */
const PROGRESS_MS = 50;
const STATES = { UNSENT: 0, OPENED: 1, HEADERS_RECEIVED: 2, LOADING: 3, DONE: 4 };

/** `XMLHttpRequest`, only asynchronous. */
export class XmlHttpRequest extends Target {
  readonly UNSENT = 0;
  readonly OPENED = 1;
  readonly HEADERS_RECEIVED = 2;
  readonly LOADING = 3;
  readonly DONE = 4;
  static readonly UNSENT = 0;
  static readonly OPENED = 1;
  static readonly HEADERS_RECEIVED = 2;
  static readonly LOADING = 3;
  static readonly DONE = 4;
  readyState = STATES.UNSENT;
  responseType = '';
  response: unknown = null;
  responseURL = '';
  status = 0;
  statusText = '';
  /** The timeout, ms; 0 for none. */
  timeout = 0;
  withCredentials = false;
  readonly responseXML = null;
  readonly upload: Target;
  readonly #network: Network;
  readonly #headers = new Map<string, string>();
  #method = 'GET';
  #url = '';
  #head: Head | undefined;
  #body: Body | undefined;
  #giveUp: (() => void) | undefined;
  #impatient: (() => void) | undefined;
  #loaded = 0;
  #told = { bytes: 0, at_ms: -Infinity };
  #deferred: (() => void) | undefined;

  constructor(network: Network) {
    super(network.host);
    this.#network = network;
    this.upload = new Target(network.host);
  }

  get responseText(): string {
    return typeof this.response === 'string' ? this.response : '';
  }

  open(method: string, url: string): void {
    this.#stop();
    this.#headers.clear();
    this.#method = method.toUpperCase();
    this.#url = this.#network.resolve(url);
    [this.response, this.status, this.statusText, this.#head] = [null, 0, '', undefined];
    this.#become(STATES.OPENED);
  }

  setRequestHeader(name: string, value: string): void {
    const key = name.toLowerCase();
    const before = this.#headers.get(key);
    this.#headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }

  overrideMimeType(): void {
    // Nothing to do: text is always UTF-8.
  }

  getResponseHeader(name: string): string | null {
    return this.#head?.headers.get(name.toLowerCase()) ?? null;
  }

  getAllResponseHeaders(): string {
    return [...(this.#head?.headers ?? [])].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  }

  send(body?: unknown): void {
    if (this.readyState !== STATES.OPENED || this.#giveUp)
      throw new DOMException('the request is not open', 'InvalidStateError');
    [this.#loaded, this.#told] = [0, { bytes: 0, at_ms: -Infinity }];
    const asked = {
      url: this.#url,
      method: this.#method,
      headers: new Map(this.#headers),
      body: typeof body === 'string' ? body : undefined,
      initiator: 'xmlhttprequest',
    };
    this.#giveUp = this.#network.ask(asked, {
      began: (head, arriving) => {
        [this.#head, this.#body] = [head, arriving];
        [this.status, this.statusText, this.responseURL] = [head.status, head.statusText, this.#url];
        this.#become(STATES.HEADERS_RECEIVED);
      },
      arrived: (bytes) => {
        this.#loaded = bytes;
        if (this.readyState !== STATES.LOADING) this.#become(STATES.LOADING);
        this.#progress();
      },
      ended: (bytes) => {
        this.#loaded = bytes;
        this.#stop();
        this.response = this.#whole(bytes);
        if (this.#told.bytes !== bytes) this.#tell('progress');
        this.#become(STATES.DONE);
        this.#tell('load');
        this.#tell('loadend');
      },
      failed: () => this.#fail('error'),
    });
    if (this.timeout > 0)
      this.#impatient = soon(
        this.host,
        () => {
          this.#giveUp?.();
          this.#fail('timeout');
        },
        this.timeout,
      );
    this.#tell('loadstart');
  }

  abort(): void {
    const underWay = this.#giveUp !== undefined;
    this.#giveUp?.();
    if (underWay) this.#fail('abort');
    this.readyState = STATES.UNSENT;
  }

  #fail(how: string): void {
    this.#stop();
    [this.status, this.statusText, this.response, this.#loaded] = [0, '', null, 0];
    this.#head = undefined;
    this.#become(STATES.DONE);
    this.#tell(how);
    this.#tell('loadend');
  }

  #stop(): void {
    for (const cancel of [this.#impatient, this.#deferred]) cancel?.();
    this.#impatient = this.#deferred = this.#giveUp = undefined;
  }

  #become(state: number): void {
    this.readyState = state;
    this.fire('readystatechange');
  }

  #progress(): void {
    const { clock } = this.host;
    if (this.#deferred) return;
    const next_ms = this.#told.at_ms + PROGRESS_MS;
    if (next_ms <= clock.now_ms) this.#tell('progress');
    else
      this.#deferred = clock.at(next_ms, () => {
        this.#deferred = undefined;
        this.#tell('progress');
      });
  }

  #tell(type: string): void {
    if (type === 'progress') this.#told = { bytes: this.#loaded, at_ms: this.host.clock.now_ms };
    const total = this.#head?.size_bytes;
    this.fire(type, { loaded: this.#loaded, total: total ?? 0, lengthComputable: total !== undefined });
  }

  #whole(size: number): unknown {
    const { ArrayBuffer, Uint8Array, JSON } = this.host.builtins;
    const buffer = new ArrayBuffer(size);
    const bytes = new Uint8Array(buffer);
    this.#body?.write(bytes, 0);
    this.#body = undefined;
    if (this.responseType === 'arraybuffer') return buffer;
    const text = new TextDecoder().decode(bytes);
    return this.responseType === 'json' ? (JSON.parse(text) as unknown) : text;
  }
}
