/** What a page asks a server for. */
export interface WireRequest {
  /** Absolute. */
  readonly url: string;
  readonly method: string;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | undefined;
  /** What of the page asks (Resource Timing's `initiatorType`). */
  readonly initiator: string;
}

/** How a response begins. */
export interface Head {
  readonly status: number;
  readonly statusText: string;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Of the body; undefined where the server does not say. */
  readonly size_bytes: number | undefined;
  /** When the request was sent: later than it was asked for where a connection had to be opened first. */
  readonly sent_ms?: number | undefined;
  /** Without headers; the body's own where not given. */
  readonly transfer_bytes?: number | undefined;
}

/** A body as far as it has arrived. */
export interface Body {
  /** Writes the bytes from `from` on into what is zero, as many as it has room for. */
  write(into: Uint8Array, from: number): void;
}

/** What becomes of a request, in this order. Nothing is called before `ask` has returned. */
export interface Listener {
  begins(head: Head, body: Body): void;
  /** So much of the body has arrived. */
  arrived(bytes: number): void;
  /** All of it has. */
  ended(bytes: number): void;
  /** The server could not be reached, or hung up. */
  failed(): void;
}

/** The network between a page and its servers. To have one's own is to implement this. */
export interface Wire {
  /** Returns what gives the request up. */
  ask(asked: WireRequest, listener: Listener): () => void;
}
