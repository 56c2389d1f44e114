import type { Socket, Server } from 'node:net';
import { readFile } from 'node:fs/promises';
import { bytes, kbpsToBytesPerSecond, type Bytes, type Kbps, type Milliseconds } from '../../../src/units.ts';
import { errorLine } from '../../../system/error-line.ts';
import { parseTcpInfo, type TcpInfo } from './tcp-info.ts';

/**
 * Socket options for which Node has no function, set through libc. With a closed socket, each function does nothing and
 * returns false or null.
 */
export interface SocketOptions {
  /** Limits the rate at which TCP sends; null removes the limit. Returns false if the kernel refuses. */
  setPace(socket: Socket, pace: Kbps | null): boolean;
  /**
   * Sets the socket's mark. The yielding congestion control uses the mark as the floor in kbit/s; 0 means no floor.
   * Values above 32 bits are clamped.
   */
  setMark(socket: Socket | Server, mark: number): boolean;
  readTcpInfo(socket: Socket): TcpInfo | null;
  /**
   * The kernel's state of the connection, which may be newer than Node's: `there` is connected, `closing` means that
   * the client has closed its side, and `gone` is closed.
   */
  clientState(socket: Socket): 'there' | 'closing' | 'gone' | null;
  congestionControl(socket: Socket | Server): string | null;
  /**
   * Sets the congestion control; on a listening socket, for all future connections. Returns the kind of failure, or
   * null on success.
   */
  setCongestionControl(socket: Socket | Server, name: string): 'unknown' | 'needs-root' | 'failed' | null;
  /** The size of the kernel's send buffer, and its free space, which may be slightly negative, by about a packet. */
  sendBuffer(socket: Socket): { readonly size: Bytes; readonly free: Bytes } | null;
  /**
   * Sets the number of unsent bytes above which the kernel accepts no more data from the program, so that later data
   * does not wait long.
   */
  setUnsentLimit(socket: Socket, bytes: Bytes): boolean;
  /**
   * Ends the connection if sent data stays unacknowledged for this long, for example because the client has vanished.
   */
  setUserTimeout(socket: Socket, timeout: Milliseconds): boolean;
  /**
   * Makes closing the socket discard unsent data and reset the connection. By default, the kernel would still send the
   * data.
   */
  setResetOnClose(socket: Socket): boolean;
}

// Constants of include/uapi/asm-generic/socket.h and include/uapi/linux/tcp.h. MARK_MAX is the largest 32-bit number.
const SOL_SOCKET = 1;
const SO_LINGER = 13;
const SO_MARK = 36;
const MARK_MAX = 0xffff_ffff;
const SO_MAX_PACING_RATE = 47;
const SO_MEMINFO = 55;
const IPPROTO_TCP = 6;
const TCP_INFO = 11;
/** The states of struct tcp_info, from include/net/tcp_states.h. */
const TCP_CLOSE = 7;
const TCP_CLOSE_WAIT = 8;
const TCP_CONGESTION = 13;
const TCP_USER_TIMEOUT = 18;
const TCP_NOTSENT_LOWAT = 25;
const TCP_CA_NAME_MAX = 16;
const EPERM = 1;
const ENOENT = 2;
// include/uapi/linux/sock_diag.h
const SK_MEMINFO_SNDBUF = 3;
const SK_MEMINFO_WMEM_QUEUED = 5;
const SK_MEMINFO_VARS = 9;
/** ~0UL, the value with which the kernel removes the limit. */
const UNLIMITED = 0xffff_ffff_ffff_ffffn;

/** Opens the socket options of this machine, or returns the reason why they are unavailable. */
export async function openSocketOptions(): Promise<SocketOptions | { unavailable: string }> {
  if (process.platform !== 'linux') return { unavailable: `${process.platform} has no SO_MAX_PACING_RATE` };
  try {
    return linuxSocketOptions(await import('koffi'));
  } catch (error) {
    return {
      unavailable: `libc cannot be called; npm install koffi, which calls it: ${errorLine(error)}`,
    };
  }
}

function linuxSocketOptions(koffi: typeof import('koffi')): SocketOptions {
  type Call<Length> = (fd: number, level: number, name: number, value: Uint8Array, length: Length) => number;
  const libc = koffi.load(null);
  const setsockopt = libc.func(
    'int setsockopt(int fd, int level, int name, const void *value, uint32_t length)',
  ) as Call<number>;
  const getsockopt = libc.func(
    'int getsockopt(int fd, int level, int name, void *value, _Inout_ uint32_t *length)',
  ) as Call<[number]>;

  const set = (socket: Socket | Server, level: number, name: number, value: Uint8Array): boolean => {
    const fd = getDescriptor(socket);
    return fd !== null && setsockopt(fd, level, name, value, value.length) === 0;
  };
  const get = (
    socket: Socket | Server,
    name: number,
    value: Uint8Array,
    level = IPPROTO_TCP,
  ): Uint8Array | null => {
    const fd = getDescriptor(socket);
    const length: [number] = [value.length];
    return fd !== null && getsockopt(fd, level, name, value, length) === 0
      ? value.subarray(0, length[0])
      : null;
  };

  return {
    setPace(socket, pace) {
      const rate = Buffer.alloc(8);
      rate.writeBigUInt64LE(pace === null ? UNLIMITED : BigInt(Math.round(kbpsToBytesPerSecond(pace))));
      return set(socket, SOL_SOCKET, SO_MAX_PACING_RATE, rate);
    },
    setMark: (socket, mark) => set(socket, SOL_SOCKET, SO_MARK, uint32(Math.min(mark, MARK_MAX))),
    readTcpInfo(socket) {
      const struct = get(socket, TCP_INFO, new Uint8Array(256));
      return struct && parseTcpInfo(struct);
    },
    clientState(socket) {
      // tcpi_state is the first byte of struct tcp_info.
      const state = get(socket, TCP_INFO, new Uint8Array(1))?.[0];
      if (state === undefined) return null;
      return state === TCP_CLOSE ? 'gone' : state === TCP_CLOSE_WAIT ? 'closing' : 'there';
    },
    congestionControl(socket) {
      const name = get(socket, TCP_CONGESTION, new Uint8Array(TCP_CA_NAME_MAX));
      return name && Buffer.from(name).toString('latin1').replace(/\0.*$/s, '');
    },
    setCongestionControl(socket, name) {
      if (set(socket, IPPROTO_TCP, TCP_CONGESTION, Buffer.from(name, 'latin1'))) return null;
      const errno = koffi.errno();
      return errno === ENOENT ? 'unknown' : errno === EPERM ? 'needs-root' : 'failed';
    },
    sendBuffer(socket) {
      const sizes = new Uint32Array(SK_MEMINFO_VARS);
      if (!get(socket, SO_MEMINFO, new Uint8Array(sizes.buffer), SOL_SOCKET)) return null;
      const size = sizes[SK_MEMINFO_SNDBUF] ?? 0;
      return { size: bytes(size), free: bytes(size - (sizes[SK_MEMINFO_WMEM_QUEUED] ?? 0)) };
    },
    setUnsentLimit: (socket, bytes) => set(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, uint32(bytes)),
    setUserTimeout: (socket, timeout) => set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, uint32(timeout)),
    // struct linger {l_onoff, l_linger}: on, with a linger time of 0 s.
    setResetOnClose: (socket) => set(socket, SOL_SOCKET, SO_LINGER, Buffer.concat([uint32(1), uint32(0)])),
  };
}

function uint32(number: number): Buffer {
  const value = Buffer.alloc(4);
  value.writeUInt32LE(number);
  return value;
}

/** A socket's file descriptor, which Node exposes only in `_handle`; null after closing. */
function getDescriptor(socket: Socket | Server): number | null {
  const { _handle: handle } = socket as unknown as { _handle?: { fd?: number } | null };
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : null;
}

/**
 * Returns the congestion controls of this kernel, and those that need no root; both lists are empty if the kernel
 * provides none.
 */
export async function congestionControls(): Promise<{ available: string[]; withoutRoot: string[] }> {
  const words = async (name: string) => {
    const text = await readFile(`/proc/sys/net/ipv4/${name}`, 'utf8').catch(() => '');
    return text.split(/\s+/).filter((word) => word !== '');
  };
  return {
    available: await words('tcp_available_congestion_control'),
    withoutRoot: await words('tcp_allowed_congestion_control'),
  };
}
