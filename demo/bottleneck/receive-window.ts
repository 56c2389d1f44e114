import type { Socket } from 'node:net';
import { setSocketOption } from '../../system/set-socket-option.ts';

// include/uapi/asm-generic/socket.h, include/uapi/linux/tcp.h
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const IPPROTO_TCP = 6;
/** The socket option for the maximum window: the data that the other side may send before this side acknowledges it. */
const TCP_WINDOW_CLAMP = 10;

/** Size of the buffer in windows, because the kernel needs additional bytes for each packet. */
const ROOM = 4;

/** Limits the window that an open connection offers to its sender. Throws an Error if the kernel refuses. */
export function limitReceiveWindow(socket: Socket, bytes: number): void {
  const set = (level: number, name: number, value: number): boolean =>
    setSocketOption(socket, level, name, new Int32Array([value]));
  // With an explicit buffer size, the kernel does not raise the window's limit by itself.
  if (set(SOL_SOCKET, SO_RCVBUF, ROOM * bytes) && set(IPPROTO_TCP, TCP_WINDOW_CLAMP, bytes)) return;
  throw new Error("the neighbor's receive window could not be limited");
}
