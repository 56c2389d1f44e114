import { createSocket } from 'node:dgram';
import { monotonic_ms } from '../../../ground/clock/monotonic.ts';
import { firstServed } from '../../../ground/programs/first-served.ts';
import { joinLab } from '../../../ground/programs/join-lab.ts';
import { INTERVAL_MS, printUdpPacket } from './udp-packet.ts';

/**
 * Waits for a first packet from inside, which opens the emulation's NAT, and then sends packets at regular intervals.
 */

export interface UdpListening {
  readonly type: 'listening';
  readonly port: number;
}

export interface UdpSent {
  readonly type: 'sent';
  /** Packet `n` was due at `begun_ms + n * INTERVAL_MS`. */
  readonly begun_ms: number;
  readonly count: number;
}

const socket = createSocket('udp4');
firstServed();
/**
 * Nothing ever notifies this array, so a wait on it sleeps for its full timeout, which can be a fraction of a
 * millisecond. Node's timers have whole milliseconds.
 */
const nobody = new Int32Array(new SharedArrayBuffer(4));
let begun_ms = 0;
let count = 0;
let stopped = false;

/** Sends by an absolute schedule, so that a late packet does not delay later packets. */
function sendNext(): void {
  if (stopped) return;
  Atomics.wait(nobody, 0, 0, begun_ms + count * INTERVAL_MS - monotonic_ms());
  socket.send(printUdpPacket({ sequence: count, sent_ms: monotonic_ms() }), () => undefined);
  count += 1;
  setImmediate(sendNext);
}

const say = joinLab(() => {
  stopped = true;
  say({ type: 'sent', begun_ms, count } satisfies UdpSent);
});

socket.once('message', (_hello, { address, port }) => {
  // Ignored: an error means that the receiver has ended, which the lab notices from the receiver itself.
  socket.on('error', () => undefined);
  socket.connect(port, address, () => {
    begun_ms = monotonic_ms();
    sendNext();
  });
});
socket.bind(0, () => {
  say({ type: 'listening', port: socket.address().port } satisfies UdpListening);
});
