import { once } from 'node:events';
import type { AddressInfo, ListenOptions, Server } from 'node:net';
import { listenError } from './start-errors.ts';

/** Resolves when the server listens. Throws a one-line Error for an unavailable address. */
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

/** Returns the host part of the server's URL, for use on this machine. */
export function urlHost({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return 'localhost';
  return family === 'IPv6' ? `[${address}]` : address;
}
