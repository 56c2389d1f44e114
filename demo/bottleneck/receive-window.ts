import type { Socket } from 'node:net';
import { setSocketOption } from '../../system/set-socket-option.ts';

// include/uapi/asm-generic/socket.h, include/uapi/linux/tcp.h
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const IPPROTO_TCP = 6;
/** The most that the other side may have sent and this side has not acknowledged. */
const TCP_WINDOW_CLAMP = 10;

/** Room for the window with the kernel's own bytes for each packet. */
const ROOM = 4;

/** Limits the window that an open connection offers its sender. Throws an Error where the kernel refuses. */
export function limitReceiveWindow(socket: Socket, bytes: number): void {
  const set = (level: number, name: number, value: number): boolean =>
    setSocketOption(socket, level, name, new Int32Array([value]));
  // With a buffer of its own size, the kernel does not raise the limit again by itself.
  if (set(SOL_SOCKET, SO_RCVBUF, ROOM * bytes) && set(IPPROTO_TCP, TCP_WINDOW_CLAMP, bytes)) return;
  throw new Error("the neighbor's receive window could not be limited");
}
