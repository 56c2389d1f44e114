import { join } from 'node:path';
import { parseExperiments, type EdgeExperiments } from '../../edge/experiments.ts';
import { createHandler } from '../../edge/handler.ts';
import { directoryOrigin } from '../../edge/local/directory-origin.ts';
import { startEdge } from '../../edge/local/server.ts';
import { SessionStore } from '../../edge/local/sessions/session-store.ts';
import { paceLimits } from '../../edge/policy.ts';
import { originsByPrefix } from '../../edge/prefixes.ts';
import { takeSessions } from '../../edge/sessions/sessions-route.ts';
import { bytes, milliseconds } from '../../src/units.ts';

/**
 * An edge with its own cluster of the network. It assigns its viewers to arms and stores the reports of their pages.
 */
export interface Link {
  readonly cluster: string;
  readonly url: string;
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly cluster: string;
  /** The text of the configuration. */
  readonly configuration: string;
  /** The folder of the content. */
  readonly film: string;
  /** The folder of the built page. */
  readonly page: string;
  /** The folder in which session rows are stored. */
  readonly sessions: string;
  /** The edge's clock, ms since 1970. */
  readonly now: () => number;
}

/** The size limit of the stored sessions. 40 sessions take a hundredth of this. */
const LIMIT = bytes(100_000_000);

/** Starts an edge like `npm run edge -- --experiments FILE --cluster NAME --sessions DIR`, with the clock `now`. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const { cluster, configuration, film, page, sessions, now } = options;
  const onProblem = (line: string): never => {
    throw new Error(line);
  };
  const list = parseExperiments(configuration, onProblem);
  const experiments: EdgeExperiments = { list: () => list, cluster, now: () => milliseconds(now()) };
  const store = new SessionStore({
    directory: sessions,
    limit: LIMIT,
    writer: cluster,
    writers: 2,
    now,
    onProblem,
  });
  const handler = createHandler({
    origin: originsByPrefix({
      '/film/': await directoryOrigin(film),
      '/experiments.json': () => Promise.resolve(new Response(configuration)),
      '/': await directoryOrigin(page),
    }),
    limits: paceLimits(),
    experiments,
  });
  const edge = await startEdge({
    handler: takeSessions(handler, { experiments, store: (line) => store.append(line) }),
  });
  return {
    cluster,
    url: edge.url,
    async close() {
      await edge.close();
      store.close();
    },
  };
}

/** The folder of the stored rows in an experiment's folder. */
export const sessionsIn = (folder: string): string => join(folder, 'beacons');
