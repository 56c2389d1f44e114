import { createHandler } from '../../../edge/handler.ts';
import { startEdge, type ResponseEvent } from '../../../edge/local/server.ts';
import { paceLimits } from '../../../edge/policy.ts';
import type { LabEdge } from './edge.ts';

/** The edge that `npm run edge` starts. */
export const nodeEdge: LabEdge = {
  prepare: () => Promise.resolve(`node ${process.versions.node}`),
  async start(origin, { congestionControl }) {
    const ended: ResponseEvent[] = [];
    const edge = await startEdge({
      handler: createHandler({ origin, limits: paceLimits() }),
      host: '0.0.0.0',
      congestionControl,
      onResponse: (event) => ended.push(event),
    });
    return {
      port: edge.port,
      responses: () => Promise.resolve([...ended]),
      close: () => edge.close(),
    };
  },
};
