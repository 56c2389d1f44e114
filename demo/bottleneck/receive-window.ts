import type { Socket } from 'node:net';
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
  // Node has the descriptor only in `_handle`.
  const { _handle: handle } = socket as unknown as { _handle?: { fd?: number } | null };
  const set = (level: number, name: number, value: number): boolean => {
    const option = Buffer.alloc(4);
    option.writeUInt32LE(value);
    return setsockopt(handle?.fd ?? -1, level, name, option, option.length) === 0;
  };
  // With a buffer of its own size, the kernel does not raise the limit again by itself.
  if (set(SOL_SOCKET, SO_RCVBUF, ROOM * bytes) && set(IPPROTO_TCP, TCP_WINDOW_CLAMP, bytes)) return;
  throw new Error("the neighbor's receive window could not be limited");
}
