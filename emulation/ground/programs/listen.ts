import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { openSocketOptions } from '../../../edge/local/kernel/socket-options.ts';
import { congestionControlError } from '../../../edge/local/start-errors.ts';

/**
 * Listens on a free port, with one congestion control for all connections, and returns the port. The control is set on
 * the listening socket, so that no connection starts with another one: a connection that starts with bbr stays paced
 * after a change to Reno.
 */
export async function listen(server: Server, congestionControl: string): Promise<number> {
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  const kernel = await openSocketOptions();
  const refused = 'unavailable' in kernel ? 'failed' : kernel.setCongestionControl(server, congestionControl);
  if (refused !== null) throw await congestionControlError(congestionControl, refused);
  return (server.address() as AddressInfo).port;
}
