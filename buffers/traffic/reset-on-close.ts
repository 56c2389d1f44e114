import type { Server } from 'node:net';
import { setSocketOption } from '../../system/set-socket-option.ts';

// include/uapi/asm-generic/socket.h
const SOL_SOCKET = 1;
const SO_LINGER = 13;

/**
 * Makes the kernel forget a server's connections as soon as they are closed, also when the program is killed. Without
 * this it goes on retransmitting what a flow has not sent yet, and network namespace and congestion control stay for minutes.
 */
export function resetOnClose(server: Server): void {
  // struct linger: on, for 0 seconds. Connections inherit it from the listening socket.
  if (!setSocketOption(server, SOL_SOCKET, SO_LINGER, new Int32Array([1, 0])))
    throw new Error('the kernel refused SO_LINGER');
}
