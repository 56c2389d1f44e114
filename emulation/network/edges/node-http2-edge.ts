import { selfSigned } from '../../../edge/local/self-signed.ts';
import type { LabEdge } from './edge.ts';
import { startNodeEdge } from './node-edge.ts';

/**
 * The edge that `npm run edge -- --tls-cert` starts. Browsers use HTTP/2 with it, so one connection carries the
 * session.
 */
export const nodeHttp2Edge: LabEdge = {
  prepare: () => Promise.resolve(`node ${process.versions.node}, HTTP/2`),
  start: async (origin, { congestionControl }) =>
    startNodeEdge(origin, congestionControl, { tls: await selfSigned() }),
};
