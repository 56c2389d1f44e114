import { createServer, type Socket } from 'node:net';
import { sinceRequest } from '../since-request.ts';
import { closeTogether } from '../../../../system/close-together.ts';
import { listen } from '../../../ground/programs/listen.ts';
import { defineNeighbor } from '../neighbor.ts';
import { BEGIN_AFTER_S, tcpResult, type TcpBins } from './tcp-result.ts';

const READY_WITHIN_S = 20;
/** The data of each write: more than the kernel accepts at once, so that only the congestion window limits the flow. */
const PIECE = Buffer.alloc(256 * 1024);

export const tcp = defineNeighbor({
  name: 'tcp',
  about: `a bulk TCP Reno flow from outside, from ${BEGIN_AFTER_S} s after the start of playback on (Sammy §6, Figure 8b)`,
  metrics: {
    tcp_throughput_mbps: { unit: 'Mbit/s', better: 'higher', label: 'TCP neighbor: throughput' },
    tcp_throughput_inflight_mbps: {
      unit: 'Mbit/s',
      better: 'higher',
      label: 'TCP neighbor: the same, chunk in flight',
    },
  },
  bars: {
    title: 'TCP neighbor: throughput',
    whole: 'tcp_throughput_mbps',
    inFlight: 'tcp_throughput_inflight_mbps',
    paper: { change_pct: 28, control: 20, treatment: 25.7, reference: '§6, Fig. 8b' },
  },
  start: (context) =>
    closeTogether(async (onClose) => {
      const sockets = new Set<Socket>();
      const server = createServer((socket) => {
        sockets.add(socket);
        pour(socket);
      });
      onClose(() => {
        server.close();
        for (const socket of sockets) socket.destroy();
      });
      const port = await listen(server, 'reno');
      const receiver = context.startInside(new URL('tcp-receiver.ts', import.meta.url), [
        context.outsideHost,
        String(port),
      ]);
      onClose(() => receiver.stop());
      await receiver.expect('ready', READY_WITHIN_S);

      let beginning: NodeJS.Timeout | undefined;
      onClose(() => clearTimeout(beginning));
      return {
        playbackStarted() {
          beginning = setTimeout(() => receiver.send({ type: 'begin' }), BEGIN_AFTER_S * 1000);
        },
        async finish(session) {
          clearTimeout(beginning);
          receiver.send({ type: 'report' });
          const bins = await receiver.expect<TcpBins>('bins', 10);
          return tcpResult(bins, sinceRequest(context, session), session);
        },
      };
    }),
});

/** Sends as fast as TCP allows, until the other side closes the connection. */
function pour(socket: Socket): void {
  const write = (): void => {
    while (socket.write(PIECE));
  };
  socket.on('drain', write).on('error', () => undefined);
  write();
}
