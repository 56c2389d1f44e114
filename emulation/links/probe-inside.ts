// Runs inside: reads what the calibration sends, and tells what the interface received by when. Not what the
// program could read by when: after a loss, that waits for the retransmission.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { joinLab } from '../programs/join-lab.ts';

const SAMPLE_EVERY_MS = 20;

const say = joinLab(() => undefined);

const [host = '', port = '', pairs_bytes = ''] = process.argv.slice(2);
const samples: [at_ms: number, received_bytes: number][] = [];
let filledFrom_ms = Infinity;
let read_bytes = 0;

/** Of all interfaces but loopback. */
const received_bytes = (): number =>
  readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .flatMap((line) => /^\s*(?!lo:)\S+:\s*(\d+)/.exec(line)?.[1] ?? [])
    .reduce((sum, bytes) => sum + Number(bytes), 0);

setInterval(() => samples.push([performance.now(), received_bytes()]), SAMPLE_EVERY_MS);
const socket = connect({ host, port: Number(port) });
socket.on('data', (data) => {
  read_bytes += data.length;
  if (read_bytes > Number(pairs_bytes)) filledFrom_ms = Math.min(filledFrom_ms, performance.now());
});
socket.on('error', () => process.exit(1));
socket.on('end', () => say({ type: 'arrivals', filledFrom_ms, samples }));
