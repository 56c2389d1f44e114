import { setTimeout as sleep } from 'node:timers/promises';
import { sinceRequest } from '../since-request.ts';
import { closeTogether } from '../../../../system/close-together.ts';
import { defineNeighbor } from '../neighbor.ts';
import { startLabProgram } from '../../../ground/programs/program.ts';
import { udpResult } from './udp-result.ts';
import type { UdpArrivals } from './udp-receiver.ts';
import type { UdpListening, UdpSent } from './udp-sender.ts';

const READY_WITHIN_S = 20;
/** The time for the packets that are still in the queue when the sender stops. The paper's queue is 20 ms long. */
const LAST_PACKETS_MS = 500;

export const udp = defineNeighbor({
  name: 'udp',
  about: 'a paced UDP flow of 5 Mbit/s from outside, from the request for playback on (Sammy §6, Figure 8a)',
  metrics: {
    udp_owd_ms: { unit: 'ms', better: 'lower', label: 'UDP neighbor: one-way delay, mean' },
    udp_owd_inflight_ms: { unit: 'ms', better: 'lower', label: 'UDP neighbor: the same, chunk in flight' },
    udp_owd_p95_ms: { unit: 'ms', better: 'lower', label: 'UDP neighbor: one-way delay, 95th percentile' },
  },
  bars: {
    title: 'UDP neighbor: one-way delay',
    whole: 'udp_owd_ms',
    inFlight: 'udp_owd_inflight_ms',
    paper: { change_pct: -51, reference: '§6, Fig. 8a' },
  },
  start: (context) =>
    closeTogether(async (onClose) => {
      // A separate process, because the lab's process is too busy to send a packet on time every 2 ms.
      const sender = startLabProgram([], new URL('udp-sender.ts', import.meta.url));
      onClose(() => sender.stop());
      const { port } = await sender.expect<UdpListening>('listening', READY_WITHIN_S);
      const receiver = context.startInside(new URL('udp-receiver.ts', import.meta.url), [
        context.outsideHost,
        String(port),
      ]);
      onClose(() => receiver.stop());
      await receiver.expect('receiving', READY_WITHIN_S);
      return {
        playbackStarted: () => undefined,
        async finish(session) {
          sender.send({ type: 'stop' });
          const sent = await sender.expect<UdpSent>('sent', 5);
          await sleep(LAST_PACKETS_MS);
          receiver.send({ type: 'report' });
          const { arrivals } = await receiver.expect<UdpArrivals>('arrivals', 10);
          return udpResult(arrivals, sent, sinceRequest(context, session), session);
        },
      };
    }),
});
