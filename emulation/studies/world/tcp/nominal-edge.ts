import { createHandler } from '../../../../edge/handler.ts';
import { startEdge, type Edge, type EdgeOptions } from '../../../../edge/local/server.ts';
import { paceLimits } from '../../../../edge/policy.ts';
import { nominalOrigin } from './nominal-film.ts';

const MOST_CONNECTIONS = 4096;

/** Starts an edge with a video of nominal bitrates. The edge's limits allow many viewers from one address. */
export const startNominalEdge = (
  film: Parameters<typeof nominalOrigin>[0],
  options: Pick<EdgeOptions, 'host' | 'congestionControl' | 'onResponse'>,
): Promise<Edge> =>
  startEdge({
    handler: createHandler({ origin: nominalOrigin(film), limits: paceLimits() }),
    ...{ maxConnections: MOST_CONNECTIONS, maxConnectionsPerAddress: MOST_CONNECTIONS },
    ...options,
  });
