import { sinceRequest } from '../since-request.ts';
import { closeTogether } from '../../../../system/close-together.ts';
import { httpResult } from './http-result.ts';
import type { HttpResponses } from './http-client.ts';
import { startHttpServer } from './http-server.ts';
import { defineNeighbor } from '../neighbor.ts';

const READY_WITHIN_S = 20;

/**
 * One persistent connection for all requests, without pauses, like a download of many pieces. The paper does not
 * specify the requests of its HTTP neighbor. The paper's response times, 1095 and 898 ms, are those of 3 MB at the
 * throughput of the paper's TCP neighbor.
 */
export const http = defineNeighbor({
  name: 'http',
  about: 'requests of 3 MB, one after the other, from the start of playback on (Sammy §6, Figure 8c)',
  metrics: {
    http_response_ms: { unit: 'ms', better: 'lower', label: 'HTTP neighbor: response time, mean' },
    http_response_inflight_ms: {
      unit: 'ms',
      better: 'lower',
      label: 'HTTP neighbor: the same, chunk in flight',
    },
  },
  bars: {
    title: 'HTTP neighbor: response time of 3 MB',
    whole: 'http_response_ms',
    inFlight: 'http_response_inflight_ms',
    paper: { change_pct: -18, control: 1095, treatment: 898, reference: '§6, Fig. 8c' },
  },
  start: (context) =>
    closeTogether(async (onClose) => {
      const server = await startHttpServer('reno');
      onClose(() => server.close());
      const client = context.startInside(new URL('http-client.ts', import.meta.url), [
        `http://${context.outsideHost}:${server.port}`,
      ]);
      onClose(() => client.stop());
      await client.expect('ready', READY_WITHIN_S);
      return {
        playbackStarted: () => client.send({ type: 'begin' }),
        async finish(session) {
          client.send({ type: 'report' });
          const { responses } = await client.expect<HttpResponses>('responses', 10);
          return httpResult(responses, sinceRequest(context, session), session);
        },
      };
    }),
});
