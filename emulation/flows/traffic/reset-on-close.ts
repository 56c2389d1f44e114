import type { Server } from 'node:net';
import koffi from 'koffi';

const setsockopt = koffi
  .load(null)
  .func('int setsockopt(int fd, int level, int name, const void *value, uint32_t length)') as (
  fd: number,
  level: number,
  name: number,
  value: Uint8Array,
  length: number,
) => number;

// include/uapi/asm-generic/socket.h
const SOL_SOCKET = 1;
const SO_LINGER = 13;

/**
 * Makes the kernel forget a server's connections as soon as they are closed, also when the program is killed. Without
 * this it goes on retransmitting what a flow has not sent yet, and network namespace and congestion control stay for minutes.
 */
export function resetOnClose(server: Server): void {
  const { _handle: handle } = server as unknown as { _handle?: { fd?: number } };
  // struct linger: on, for 0 seconds. Connections inherit it from the listening socket.
  const value = Buffer.from(new Int32Array([1, 0]).buffer);
  if (setsockopt(handle?.fd ?? -1, SOL_SOCKET, SO_LINGER, value, value.length) !== 0)
    throw new Error('the kernel refused SO_LINGER');
}
