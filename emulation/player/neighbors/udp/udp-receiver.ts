import { createSocket } from 'node:dgram';
import { monotonic_ms } from '../../../ground/clock/monotonic.ts';
import { firstServed } from '../../../ground/programs/first-served.ts';
import { joinLab } from '../../../ground/programs/join-lab.ts';
import { parseUdpPacket, type UdpPacket } from './udp-packet.ts';

/**
 * Sends hello to the sender outside until the flow's first packet arrives, and then records each packet's arrival time.
 */

export interface UdpArrival extends UdpPacket {
  readonly received_ms: number;
}

export interface UdpArrivals {
  readonly type: 'arrivals';
  readonly arrivals: readonly UdpArrival[];
}

const HELLO_MS = 100;
const [host, port] = process.argv.slice(2);
const arrivals: UdpArrival[] = [];
/** The kernel's buffer holds more than a second of packets, in case the machine stops this program for that long. */
const socket = createSocket({ type: 'udp4', recvBufferSize: 1_000_000 });
firstServed();

const say = joinLab(() => {
  say({ type: 'arrivals', arrivals } satisfies UdpArrivals);
});

socket.on('message', (packet) => {
  const received_ms = monotonic_ms();
  if (arrivals.length === 0) say({ type: 'receiving' });
  arrivals.push({ ...parseUdpPacket(packet), received_ms });
});

const hello = (): void => {
  if (arrivals.length > 0) return;
  socket.send('hello', Number(port), host);
  setTimeout(hello, HELLO_MS);
};
hello();
