const addresses = new WeakMap<Request, string>();

/** Notes the address that a request came from. It is in no header, so that no origin and no handler's log can have it. */
export function noteAddress(request: Request, address: string): void {
  addresses.set(request, address);
}

/** The address that a request to this process came from; '' where that is not known, as of a client that is gone. */
export const addressOf = (request: Request): string => addresses.get(request) ?? '';
