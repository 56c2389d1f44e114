import type { Server, Socket } from 'node:net';
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

/**
 * Sets a socket option for which Node has no function. `value` has the bytes of the C struct or int. Returns false if
 * the kernel refuses or the socket is closed.
 */
export function setSocketOption(
  socket: Socket | Server,
  level: number,
  name: number,
  value: Int32Array,
): boolean {
  // Node exposes the file descriptor only in `_handle`.
  const { _handle: handle } = socket as unknown as { _handle?: { fd?: number } | null };
  return setDescriptorOption(handle?.fd ?? -1, level, name, value);
}

/** Like `setSocketOption`, for a file descriptor. */
export function setDescriptorOption(fd: number, level: number, name: number, value: Int32Array): boolean {
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return setsockopt(fd, level, name, bytes, bytes.length) === 0;
}
