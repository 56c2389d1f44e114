/** A request of a page to a server. */
export interface WireRequest {
  /** An absolute URL. */
  readonly url: string;
  readonly method: string;
  /** Names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | undefined;
  /** The origin of the request in the page (Resource Timing's `initiatorType`). */
  readonly initiator: string;
}

/** The start of a response. */
export interface Head {
  readonly status: number;
  readonly statusText: string;
  /** Names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body's size; undefined if the response does not state it in a header. */
  readonly size_bytes: number | undefined;
  /** When the request was sent: later than requested if a connection had to be opened first. */
  readonly sent_ms?: number | undefined;
  /** The transferred size without headers; the body's size by default. */
  readonly transfer_bytes?: number | undefined;
}

/** A body, as far as it has arrived. */
export interface Body {
  /** Fills an array of zeros with the bytes that start at `from`. */
  write(into: Uint8Array, from: number): void;
}

/** Receives the events of a request, in this order. Nothing is called before `ask` has returned. */
export interface Listener {
  began(head: Head, body: Body): void;
  /** Called with the number of bytes of the body that have arrived. */
  arrived(bytes: number): void;
  /** Called when the body is complete. */
  ended(bytes: number): void;
  /** The server could not be reached, or closed the connection. */
  failed(): void;
}

/** The network between a page and its servers. Implement this to add another network. */
export interface Wire {
  /** Returns a function that aborts the request. */
  ask(asked: WireRequest, listener: Listener): () => void;
}
