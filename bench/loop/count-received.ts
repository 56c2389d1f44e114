import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A program that receives from several senders at once and prints the rate of each in kbit/s, as JSON:
 * `count-received.ts HOST SETTLE_S SECONDS PORT...`. The first SETTLE_S seconds are not measured.
 */
const [host = '', settle_s = '0', seconds = '1', ...ports] = process.argv.slice(2);
const received = ports.map(() => 0);
const sockets = ports.map((port, index) =>
  connect({ host, port: Number(port) }).on('data', (data) => {
    received[index] = (received[index] ?? 0) + data.length;
  }),
);
await sleep(Number(settle_s) * 1000);
const before = [...received];
const since = performance.now();
await sleep(Number(seconds) * 1000);
const took_ms = performance.now() - since;
console.log(JSON.stringify(received.map((bytes, index) => ((bytes - (before[index] ?? 0)) * 8) / took_ms)));
for (const socket of sockets) socket.destroy();
