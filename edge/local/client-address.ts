const addresses = new WeakMap<Request, string>();

/**
 * Records the address of a request's client. The address is not stored in a header, so that it cannot reach an origin
 * or the handler's log.
 */
export function recordAddress(request: Request, address: string): void {
  addresses.set(request, address);
}

/** Returns the address of a request's client; '' if unknown, for example because the client has disconnected. */
export const getAddress = (request: Request): string => addresses.get(request) ?? '';
