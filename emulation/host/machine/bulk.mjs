/*
 * What the machine checks itself by: 20 MB by TCP from one namespace to another. Plain JavaScript, since a guest in which
 * computing costs no time of its own still has the host's processor time to pay for loading TypeScript.
 */
import { Buffer } from 'node:buffer';
import { createServer, connect } from 'node:net';
import { performance } from 'node:perf_hooks';

const BYTES = 20_000_000;
const [role, host, port] = process.argv.slice(2);
if (role === 'receive') {
  createServer((socket) => {
    const began = performance.now();
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes < BYTES) return;
      const ms = performance.now() - began;
      console.log(JSON.stringify({ ms, mbps: (bytes * 8) / 1000 / ms }));
      process.exit(0);
    });
  }).listen(Number(port), host);
} else {
  const socket = connect(Number(port), host, () => socket.end(Buffer.alloc(BYTES)));
  socket.on('close', () => process.exit(0));
}
