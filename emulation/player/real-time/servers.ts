import { createHandler, type Handler } from '../../../edge/handler.ts';
import { directoryOrigin } from '../../../edge/local/directory-origin.ts';
import { startEdge, type Edge } from '../../../edge/local/server.ts';
import { loopedFilm } from '../../../media/looped-film.ts';
import { paceLimits } from '../../../edge/policy.ts';
import { originsByPrefix } from '../../../edge/prefixes.ts';
import { ranged } from '../../../edge/ranged.ts';
import { closeTogether } from '../../../system/close-together.ts';
import type { MediaEdge } from '../../network/edges/edge.ts';
import { labEdge } from '../../network/edges/index.ts';
import { FILM_TIMES } from '../records/session-settings.ts';
import type { RunSpec } from './run-spec.ts';

export interface Servers {
  /** An edge that serves only the session's video, so that its port carries nothing else. */
  readonly media: MediaEdge;
  /** An edge that serves the same video to a neighbor. */
  readonly neighbor: Edge;
  readonly page: Edge;
  close(): Promise<void>;
}

/**
 * Starts the servers outside: the edge as in a deployment, and separate edges for the page and for a neighbor that
 * plays a video. They use separate ports, so that their bytes are not in the session's statistics.
 */
export const startServers = ({
  film,
  page,
  edge,
  congestionControl,
}: Pick<RunSpec, 'film' | 'page' | 'edge' | 'congestionControl'>): Promise<Servers> =>
  closeTogether(async (onClose) => {
    const start = async (handler: Handler): Promise<Edge> => {
      const started = await startEdge({ handler, host: '0.0.0.0', congestionControl });
      onClose(() => started.close());
      return started;
    };
    const looped = ranged(await loopedFilm(await directoryOrigin(film), film, FILM_TIMES));
    const origin = originsByPrefix({ '/film/': looped });
    const media = await (await labEdge(edge)).start(origin, { congestionControl });
    onClose(() => media.close());
    return {
      media,
      neighbor: await start(createHandler({ origin, limits: paceLimits() })),
      page: await start(await directoryOrigin(page)),
    };
  });
