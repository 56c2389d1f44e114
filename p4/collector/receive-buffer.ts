import type { Socket } from 'node:dgram';
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
const SO_RCVBUFFORCE = 33;

/**
 * Enlarges the socket's receive buffer, beyond net.core.rmem_max if the process has CAP_NET_ADMIN. Returns the actual
 * size in bytes: the kernel doubles the requested size, and a small datagram occupies about 768 bytes.
 */
export function enlargeReceiveBuffer(socket: Socket, bytes: number): number {
  const fd = findDescriptor(socket);
  const value = Buffer.alloc(4);
  value.writeInt32LE(bytes);
  const forced = fd !== null && setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, value, value.length) === 0;
  if (!forced) socket.setRecvBufferSize(bytes);
  return socket.getRecvBufferSize();
}

/** Reads the file descriptor from Node's internals: there is no public API for it, and `_handle` prints a warning. */
function findDescriptor(socket: Socket): number | null {
  const symbol = Object.getOwnPropertySymbols(socket).find(
    ({ description }) => description === 'state symbol',
  );
  if (!symbol) return null;
  const state = (socket as unknown as Record<symbol, { handle?: { fd?: number } | null } | undefined>)[
    symbol
  ];
  const fd = state?.handle?.fd;
  return fd !== undefined && fd >= 0 ? fd : null;
}
