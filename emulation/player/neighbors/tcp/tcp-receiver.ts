import { connect, type Socket } from 'node:net';
import { monotonic_ms } from '../../../ground/clock/monotonic.ts';
import { joinLab } from '../../../ground/programs/join-lab.ts';
import { BIN_MS, type TcpBins } from './tcp-result.ts';

/** Counts the bytes that the server outside sends, in bins of constant duration, from 'begin' to 'report'. */

const [host, port] = process.argv.slice(2);
const received: number[] = [];
let begun_ms: number | null = null;
let socket: Socket | undefined;

const say = joinLab(({ type }) => {
  if (type === 'begin') begin();
  else report();
});

function begin(): void {
  const start_ms = monotonic_ms();
  begun_ms = start_ms;
  socket = connect(Number(port), host ?? '')
    .on('data', (data) => {
      const bin = Math.floor((monotonic_ms() - start_ms) / BIN_MS);
      while (received.length <= bin) received.push(0);
      received[bin] = (received[bin] ?? 0) + data.length;
    })
    .on('close', () => {
      throw new Error('the server ended the flow');
    });
}

function report(): void {
  socket?.removeAllListeners('close').destroy();
  say({ type: 'bins', begun_ms, received } satisfies TcpBins);
}

say({ type: 'ready' });
