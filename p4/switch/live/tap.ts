/*
 * Opens TAP interfaces and waits for their frames, with system calls that Node does not offer (tun(4), ppoll(2),
 * prctl(2)).
 */
import koffi from 'koffi';
import { ip } from '../../../system/namespaces/ip.ts';

const libc = koffi.load('libc.so.6');
const open = libc.func('int open(const char *path, int flags)') as (path: string, flags: number) => number;
const close = libc.func('int close(int fd)') as (fd: number) => number;
const ioctl = libc.func('int ioctl(int fd, unsigned long request, void *argument)') as (
  fd: number,
  request: number,
  argument: Uint8Array,
) => number;
const read = libc.func('long read(int fd, void *buffer, unsigned long size)') as (
  fd: number,
  buffer: Uint8Array,
  size: number,
) => number;
const write = libc.func('long write(int fd, const void *buffer, unsigned long size)') as typeof read;
const ppoll = libc.func('int ppoll(void *fds, unsigned long count, void *timeout, void *mask)') as (
  fds: Uint8Array,
  count: number,
  timeout: Uint8Array,
  mask: null,
) => number;
const prctl = libc.func('int prctl(int option, unsigned long value)') as (
  option: number,
  value: number,
) => number;

const O_RDWR = 0o2;
const O_NONBLOCK = 0o4000;
/**
 * Closes the descriptor on exec, because a child process that outlives the switch would otherwise keep the interface.
 */
const O_CLOEXEC = 0o2000000;
const TUNSETIFF = 0x400454ca;
const IFF_TAP = 0x2;
const IFF_NO_PI = 0x1000;
const IFREQ_SIZE = 40;
const NAME_SIZE = 16;
const POLLIN = 1;
const POLLERR = 8;
const POLLHUP = 16;
const POLLNVAL = 32;
const POLLFD_SIZE = 8;
const PR_SET_TIMERSLACK = 29;
/**
 * Maximum number of frames queued between the kernel and the switch: our choice, for the burst of a large window while
 * the switch is late.
 */
const TAP_QUEUE = '10000';

/** Creates a TAP interface that exists while the returned descriptor is open. */
export function openTap(name: string): number {
  if (name.length >= NAME_SIZE)
    throw new Error(`the interface name '${name}' has more than ${NAME_SIZE - 1} characters`);
  const fd = open('/dev/net/tun', O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) throw new Error('/dev/net/tun cannot be opened: live mode needs root and the tun driver');
  const request = Buffer.alloc(IFREQ_SIZE);
  request.write(name, 0, 'latin1');
  request.writeUInt16LE(IFF_TAP | IFF_NO_PI, NAME_SIZE);
  if (ioctl(fd, TUNSETIFF, request) < 0) {
    close(fd);
    throw new Error(`the TAP interface '${name}' cannot be made: is it in use, or are you not root?`);
  }
  return fd;
}

interface TapPlace {
  readonly namespace: string | undefined;
  readonly mac: string | undefined;
  readonly ipv6: boolean;
}

/** Moves an interface into its network namespace, if any, and brings it up. */
export function placeTap(name: string, { namespace, mac, ipv6 }: TapPlace): void {
  if (namespace !== undefined) ip(undefined, 'link', 'set', name, 'netns', namespace);
  if (mac !== undefined) ip(namespace, 'link', 'set', name, 'address', mac);
  if (!ipv6) ip(namespace, 'link', 'set', name, 'addrgenmode', 'none');
  ip(namespace, 'link', 'set', name, 'txqueuelen', TAP_QUEUE, 'up');
}

export const closeTap = (fd: number): void => void close(fd);

/** Reads one frame and returns its size, or 0 if none is waiting. */
export function readFrame(fd: number, buffer: Uint8Array): number {
  const size = read(fd, buffer, buffer.length);
  return size > 0 ? size : 0;
}

/** Writes one frame. Returns false if the interface is down or its queue is full. */
export const writeFrame = (fd: number, frame: Uint8Array): boolean =>
  write(fd, frame, frame.length) === frame.length;

/** Waits for frames on any of the descriptors, with the kernel's finest timer. */
export class Poller {
  private readonly fds: Buffer;
  private readonly count: number;
  private readonly timeout = Buffer.alloc(16);

  constructor(fds: readonly number[]) {
    this.count = fds.length;
    this.fds = Buffer.alloc(fds.length * POLLFD_SIZE);
    for (const [at, fd] of fds.entries()) {
      this.fds.writeInt32LE(fd, at * POLLFD_SIZE);
      this.fds.writeInt16LE(POLLIN, at * POLLFD_SIZE + 4);
    }
    // With a slack of 1 ns, timers of this thread fire when they are due, not up to 50 µs later.
    prctl(PR_SET_TIMERSLACK, 1);
  }

  /**
   * Waits until a frame arrives or the time has passed. The time is rounded up: after an early wake-up the caller would
   * wait again, and never finish on a clock that stands still during computation (emulation/host/machine/).
   */
  wait(nanoseconds: number): void {
    const whole = BigInt(Math.ceil(nanoseconds));
    this.timeout.writeBigInt64LE(whole / 1_000_000_000n, 0);
    this.timeout.writeBigInt64LE(whole % 1_000_000_000n, 8);
    ppoll(this.fds, this.count, this.timeout, null);
  }

  /** Whether the nth descriptor was readable when `wait` returned. */
  ready(at: number): boolean {
    return (this.events(at) & POLLIN) !== 0;
  }

  /** Whether the interface of the nth descriptor has been deleted. */
  gone(at: number): boolean {
    return (this.events(at) & (POLLERR | POLLHUP | POLLNVAL)) !== 0;
  }

  private events(at: number): number {
    return this.fds[at * POLLFD_SIZE + 6] ?? 0;
  }
}
