/* Transfers 20 MB by TCP between two namespaces, to check the virtual machine. Plain JavaScript, because loading
 * TypeScript takes host processor time, although computing costs no virtual time. */
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
