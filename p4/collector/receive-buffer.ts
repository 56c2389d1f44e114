import type { Socket } from 'node:dgram';
import { setDescriptorOption } from '../../system/set-socket-option.ts';

// include/uapi/asm-generic/socket.h
const SOL_SOCKET = 1;
const SO_RCVBUFFORCE = 33;

/**
 * Enlarges the socket's receive buffer. With CAP_NET_ADMIN, the size may exceed net.core.rmem_max. Returns the actual
 * size in bytes: the kernel doubles the requested size, and a small datagram occupies about 768 bytes.
 */
export function enlargeReceiveBuffer(socket: Socket, bytes: number): number {
  const fd = findDescriptor(socket);
  const option = new Int32Array([bytes]);
  if (fd === null || !setDescriptorOption(fd, SOL_SOCKET, SO_RCVBUFFORCE, option))
    socket.setRecvBufferSize(bytes);
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
