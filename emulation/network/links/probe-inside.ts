// Runs inside: reads what the calibration sends, and reports the bytes that the interface had received over time. The
// bytes that the program has read would not do: after a loss they wait for the retransmission. Of datagrams it reports
// how many arrived, including those for which the socket had no room.
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { DatagramsReceived } from './calibrate.ts';
import { joinLab } from '../../ground/programs/join-lab.ts';

const SAMPLE_EVERY_MS = 20;

const HELLO_EVERY_MS = 50;
/** The largest payload of a small packet. */
const FULL_BYTES = 1000;

const say = joinLab(() => {
  say({ type: 'datagrams', received: datagrams + withoutRoom() } satisfies DatagramsReceived);
});

const [host = '', port = '', pairs_bytes = '', datagramPort = ''] = process.argv.slice(2);
const samples: [at_ms: number, received_bytes: number][] = [];
let filledFrom_ms = Infinity;
let read_bytes = 0;
let datagrams = 0;

/** The bytes received on all interfaces except loopback. */
const received_bytes = (): number =>
  readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .flatMap((line) => /^\s*(?!lo:)\S+:\s*(\d+)/.exec(line)?.[1] ?? [])
    .reduce((sum, bytes) => sum + Number(bytes), 0);

/** The datagrams that were dropped for lack of room: `RcvbufErrors` of this namespace, which no other program uses. */
function withoutRoom(): number {
  const [names = [], values = []] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Udp:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('RcvbufErrors')] ?? 0);
}

const udp = createSocket({ type: 'udp4', recvBufferSize: 1_000_000 });
udp.on('error', () => process.exit(1));
udp.on('message', ({ length }) => {
  datagrams += 1;
  // On a link that loses packets, datagrams of full size fill it.
  if (length > FULL_BYTES) filledFrom_ms = Math.min(filledFrom_ms, performance.now());
});
// Repeated until a first datagram arrives, which shows that the greeting was received.
const greeting = setInterval(() => {
  if (datagrams > 0) clearInterval(greeting);
  else udp.send('hello', Number(datagramPort), host);
}, HELLO_EVERY_MS);

setInterval(() => samples.push([performance.now(), received_bytes()]), SAMPLE_EVERY_MS);
const socket = connect({ host, port: Number(port) });
socket.on('data', (data) => {
  read_bytes += data.length;
  if (read_bytes > Number(pairs_bytes)) filledFrom_ms = Math.min(filledFrom_ms, performance.now());
});
socket.on('error', () => process.exit(1));
socket.on('end', () => say({ type: 'arrivals', filledFrom_ms, samples }));
