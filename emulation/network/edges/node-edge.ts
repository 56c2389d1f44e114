import { PaceChanges } from '../../../edge/local/changes/pace-changes.ts';
import { takeChanges } from '../../../edge/local/changes/take-changes.ts';
import { createHandler } from '../../../edge/handler.ts';
import type { Certificate } from '../../../edge/local/http-server.ts';
import { startEdge, type ResponseEvent } from '../../../edge/local/server.ts';
import type { Origin } from '../../../edge/origin.ts';
import { paceLimits } from '../../../edge/policy.ts';
import type { LabEdge, MediaEdge } from './edge.ts';

/** The edge that `npm run edge` starts. */
export const nodeEdge: LabEdge = {
  prepare: () => Promise.resolve(`node ${process.versions.node}`),
  start: (origin, { congestionControl }) => startNodeEdge(origin, congestionControl),
};

export interface NodeEdgeOptions {
  /** The congestion control of responses that yield to other traffic. */
  readonly yieldControl?: string;
  /** If given, the edge serves HTTP/2 over TLS with this certificate. */
  readonly tls?: Certificate;
}

export async function startNodeEdge(
  origin: Origin,
  congestionControl: string,
  { yieldControl, tls }: NodeEdgeOptions = {},
): Promise<MediaEdge> {
  const ended: ResponseEvent[] = [];
  const policy = { limits: paceLimits(), ...(yieldControl !== undefined && { yieldControl }) };
  const changes = new PaceChanges();
  const edge = await startEdge({
    handler: takeChanges(createHandler({ origin, ...policy }), {
      ...policy,
      limits: () => policy.limits,
      apply: (change) => void changes.apply(change),
    }),
    changes,
    host: '0.0.0.0',
    congestionControl,
    ...(tls && { tls }),
    ...(yieldControl !== undefined && { furtherCongestionControls: [yieldControl] }),
    onResponse: (event) => ended.push(event),
  });
  return {
    port: edge.port,
    scheme: tls ? 'https' : 'http',
    responses: () => Promise.resolve([...ended]),
    close: () => edge.close(),
  };
}
