/** A request of a page to a server. */
export interface WireRequest {
  /** An absolute URL. */
  readonly url: string;
  readonly method: string;
  /** The headers; names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | undefined;
  /** The kind of caller in the page (Resource Timing's `initiatorType`). */
  readonly initiator: string;
}

/** The status and the headers of a response. */
export interface Head {
  readonly status: number;
  readonly statusText: string;
  /** The headers; names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body's size; undefined if the response does not state it in a header. */
  readonly size_bytes: number | undefined;
  /** When the request was sent. This is later than the request itself if a connection had to be opened first. */
  readonly sent_ms?: number | undefined;
  /** The transferred size without headers; the body's size by default. */
  readonly transfer_bytes?: number | undefined;
}

/** A body, of which a part may not have arrived yet. */
export interface Body {
  /** Fills `into`, an array of zeros, with the bytes of the body that begin at position `from` of the body. */
  write(into: Uint8Array, from: number): void;
}

/**
 * Receives the events of a request, in the order of these functions. None of them is called before `ask` has returned.
 */
export interface Listener {
  began(head: Head, body: Body): void;
  /** Called with the number of bytes of the body that have arrived. */
  arrived(bytes: number): void;
  /** Called when the body is complete. */
  ended(bytes: number): void;
  /** Called when the server could not be reached, or closed the connection. */
  failed(): void;
}

/** The network between a page and its servers. Implement this to add another network. */
export interface Wire {
  /** Starts a request. Returns a function that aborts it. */
  ask(asked: WireRequest, listener: Listener): () => void;
}
