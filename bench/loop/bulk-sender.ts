import { once } from 'node:events';
import { createServer } from 'node:net';
import { openSocketOptions } from '../../edge/local/kernel/socket-options.ts';
import { kbps } from '../../src/units.ts';

/**
 * A program that sends to every client without end: `bulk-sender.ts HOST PORT CONGESTION_CONTROL PACE_KBPS FLOOR_KBPS`.
 * 0 means no pace or no floor. The program ends when its standard input ends.
 */
const [host = '', port = '', control = '', pace = '0', floor = '0'] = process.argv.slice(2);
const kernel = await openSocketOptions();
if ('unavailable' in kernel) throw new Error(kernel.unavailable);

const PIECE = new Uint8Array(64 * 1024);
const server = createServer((socket) => {
  kernel.setPace(socket, Number(pace) > 0 ? kbps(Number(pace)) : null);
  kernel.setMark(socket, Number(floor));
  const refused = kernel.setCongestionControl(socket, control);
  if (refused !== null) throw new Error(`${control}: ${refused}`);
  const send = () => {
    while (socket.writable && socket.write(PIECE)) continue;
  };
  socket.on('drain', send).on('error', () => undefined);
  send();
}).listen({ host, port: Number(port) });
await once(server, 'listening');
process.stdout.write('listening\n');
await once(process.stdin.resume(), 'end');
process.exit();
