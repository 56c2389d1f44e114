// One end of long TCP flows. A separate process, because it runs in another network namespace.
//   receive ADDRESS PORT WARMUP_S SECONDS   prints 'ready', then {bytes, seconds} received after the warm-up
//   send ADDRESS PORT FLOWS                 sends until the other end closes
import { Buffer } from 'node:buffer';
import { connect, createServer } from 'node:net';
import { performance } from 'node:perf_hooks';

const [verb, address, port, ...numbers] = process.argv.slice(2);

function receive(warmup_s, seconds) {
  let began;
  let from;
  let bytes = 0;
  createServer((socket) => {
    began ??= performance.now();
    socket.on('error', () => process.exit(1));
    socket.on('end', () => process.exit(1));
    socket.on('data', (data) => {
      const now = performance.now();
      if (from === undefined) {
        if (now - began >= warmup_s * 1000) from = now;
        return;
      }
      bytes += data.length;
      if (now - from < seconds * 1000) return;
      console.log(JSON.stringify({ bytes, seconds: (now - from) / 1000 }));
      process.exit();
    });
  }).listen(port, address, () => console.log('ready'));
}

function send(flows) {
  for (let flow = 0; flow < flows; flow++) sendOne();
}

function sendOne() {
  const piece = Buffer.alloc(65_536);
  const socket = connect(port, address);
  const more = () => {
    while (socket.write(piece));
  };
  socket.on('connect', more);
  socket.on('drain', more);
  socket.on('error', () => process.exit());
  socket.on('close', () => process.exit());
}

// The end of stdin means that the parent has exited.
process.stdin.on('end', () => process.exit()).resume();
const [first, second] = numbers.map(Number);
if (verb === 'receive') receive(first, second);
else send(first);
