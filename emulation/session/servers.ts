import { createHandler } from '../../edge/handler.ts';
import { directoryOrigin } from '../../edge/local/directory-origin.ts';
import { startEdge, type Edge, type ResponseEvent } from '../../edge/local/server.ts';
import { loopedFilm } from '../../edge/media/looped-film.ts';
import { paceLimits } from '../../edge/policy.ts';
import { originsByPrefix } from '../../edge/prefixes.ts';

/** Nine minutes: from ten on, dash.js keeps twice the buffer. */
const FILM_TIMES = 9;

export interface Servers {
  /** The edge with the film, and nothing else: what its port carries is video. */
  readonly media: Edge;
  readonly page: Edge;
  readonly responses: readonly ResponseEvent[];
  close(): Promise<void>;
}

/** The edge as it is deployed, outside; the page comes from another port, so that its bytes are nobody's statistics. */
export async function startServers(film: string, page: string, congestionControl: string): Promise<Servers> {
  const responses: ResponseEvent[] = [];
  const everywhere = { host: '0.0.0.0', congestionControl };
  const looped = await loopedFilm(await directoryOrigin(film), film, FILM_TIMES);
  const media = await startEdge({
    ...everywhere,
    handler: createHandler({ origin: originsByPrefix({ '/film/': looped }), limits: paceLimits({}) }),
    onResponse: (event) => responses.push(event),
  });
  try {
    const pages = await startEdge({ ...everywhere, handler: await directoryOrigin(page) });
    return {
      media,
      page: pages,
      responses,
      close: async () => void (await Promise.all([media.close(), pages.close()])),
    };
  } catch (error) {
    await media.close();
    throw error;
  }
}
