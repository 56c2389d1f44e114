const addresses = new WeakMap<Request, string>();

/**
 * Records the address of a request's client. It is in no header, so that neither an origin nor a handler's log can contain
 * the address.
 */
export function recordAddress(request: Request, address: string): void {
  addresses.set(request, address);
}

/** The address of a request's client; '' if unknown, as for a client that has disconnected. */
export const getAddress = (request: Request): string => addresses.get(request) ?? '';
