import { once } from 'node:events';
import type { AddressInfo, ListenOptions, Server } from 'node:net';
import { listenError } from './start-errors.ts';

/** Resolves when the server listens. Throws an Error of one line for an unavailable address. */
export async function listen(
  server: Server,
  options: ListenOptions & { readonly host: string; readonly port: number },
): Promise<AddressInfo> {
  server.listen(options);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, options.host, options.port);
  }
  return server.address() as AddressInfo;
}

/** The host part of a URL at which this machine reaches the server. */
export function urlHost({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return 'localhost';
  return family === 'IPv6' ? `[${address}]` : address;
}
