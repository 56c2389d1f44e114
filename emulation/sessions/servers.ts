import { createHandler } from '../../edge/handler.ts';
import { directoryOrigin } from '../../edge/local/directory-origin.ts';
import { startEdge, type Edge, type EdgeOptions, type ResponseEvent } from '../../edge/local/server.ts';
import { loopedFilm } from '../../media/looped-film.ts';
import { paceLimits } from '../../edge/policy.ts';
import { originsByPrefix } from '../../edge/prefixes.ts';

/** Nine minutes: from ten on, dash.js keeps twice the buffer. */
const FILM_TIMES = 9;

export interface Servers {
  /** The edge with the film, and nothing else: what its port carries is video. */
  readonly media: Edge;
  /** The same film for a neighbour. */
  readonly neighbour: Edge;
  readonly page: Edge;
  readonly responses: readonly ResponseEvent[];
  close(): Promise<void>;
}

/**
 * The edge as it is deployed, outside. The page, and a neighbour that is a video itself, have ports of their own, so
 * that their bytes are not in the session's statistics.
 */
export async function startServers(film: string, page: string, congestionControl: string): Promise<Servers> {
  const responses: ResponseEvent[] = [];
  const started: Edge[] = [];
  const close = async () => {
    await Promise.all(started.map((edge) => edge.close()));
  };
  const start = async (options: Pick<EdgeOptions, 'handler' | 'onResponse'>): Promise<Edge> => {
    const edge = await startEdge({ ...options, host: '0.0.0.0', congestionControl });
    started.push(edge);
    return edge;
  };
  try {
    const looped = await loopedFilm(await directoryOrigin(film), film, FILM_TIMES);
    const handler = createHandler({ origin: originsByPrefix({ '/film/': looped }), limits: paceLimits({}) });
    return {
      media: await start({ handler, onResponse: (event) => responses.push(event) }),
      neighbour: await start({ handler }),
      page: await start({ handler: await directoryOrigin(page) }),
      responses,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
