// Runs inside the link: receives the calibration's data, and reports the bytes that the interface had received over
// time. The bytes that this program reads would be inexact, because after a loss TCP holds data back until the
// retransmission. For datagrams, it reports the number that arrived, including those that the socket's buffer dropped.
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { DatagramsReceived } from './calibrate.ts';
import { joinLab } from '../../ground/programs/join-lab.ts';

const SAMPLE_EVERY_MS = 20;

const HELLO_EVERY_MS = 50;
/** Packets with a larger payload are full-size ones, not the small ones of the loss measurement. */
const FULL_BYTES = 1000;

const say = joinLab(() => {
  say({ type: 'datagrams', received: datagrams + bufferDrops() } satisfies DatagramsReceived);
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

/** The datagrams that a full socket buffer dropped: `RcvbufErrors` of this namespace, which no other program uses. */
function bufferDrops(): number {
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
  // Full-size datagrams arrive only while the calibration fills a link that loses packets.
  if (length > FULL_BYTES) filledFrom_ms = Math.min(filledFrom_ms, performance.now());
});
// Repeated until the first datagram arrives, which shows that the greeting has been received.
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
