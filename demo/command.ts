import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { createHandler } from '../edge/handler.ts';
import { directoryOrigin } from '../edge/local/directory-origin.ts';
import { startEdge, type Edge, type EdgeOptions } from '../edge/local/server.ts';
import { congestionControls } from '../edge/local/kernel/socket-options.ts';
import { ensureDefaultContent } from '../media/sources/footage.ts';
import type { Origin } from '../edge/origin.ts';
import { paceLimits } from '../edge/policy.ts';
import { originsByPrefix } from '../edge/prefixes.ts';
import { urlOrigin } from '../edge/url-origin.ts';
import { mountOrigins } from '../edge/via.ts';
import { buildPage } from './build-page.ts';
import { chooseCongestionControl } from './choose-congestion-control.ts';
import { loopedFilm } from '../media/looped-film.ts';

export const help = `
npm start [-- options]

The demo: a film, a paced edge, and a page with live graphs. Prints the address to open.

  --port N             where to listen (8080, or a free port if that is taken)
  --host H             the address to listen on (127.0.0.1)
  --allow-origin URL   lets the page play manifests from this origin too: open /?mpd=URL; may be repeated
`;

const DEFAULT_PORT = 8080;
/** Three minutes of the film of one. */
const FILM_TIMES = 3;

export async function main(args: string[]): Promise<void> {
  const options = parseArgs({
    args,
    options: {
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      'allow-origin': { type: 'string', multiple: true, default: [] },
    },
  }).values;
  const port = options.port === undefined ? undefined : Number(options.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new Error(`--port is '${options.port ?? ''}', expected a number from 0 to 65535`);
  }

  const [film, page] = await Promise.all([ensureDefaultContent(), buildPage()]);
  const { available } = await congestionControls();
  // The page asks for these facts only once the edge runs, and the edge knows whether it can pace.
  const facts = { film, cannotPace: null as string | null, congestionControls: available };
  const factsOrigin: Origin = () => Promise.resolve(Response.json(facts));

  const origin = mountOrigins({
    main: originsByPrefix({
      '/film/': await loopedFilm(await directoryOrigin(film.directory), film.directory, FILM_TIMES),
      '/demo.json': factsOrigin,
      '/': withIndex(await directoryOrigin(page)),
    }),
    allowed: options['allow-origin'],
    open: urlOrigin,
  });
  const edge = await startAt(port, {
    handler: chooseCongestionControl(createHandler({ origin, limits: paceLimits({}) })),
    host: options.host,
  });
  facts.cannotPace = edge.cannotPace;

  console.log(
    `\n  Open ${edge.url}/ in a browser.  ${film.title}. ${film.credit ?? ''}\n  Ctrl-C ends it.\n`,
  );
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await edge.close();
}

/** At the port asked for, or at the usual one, or, if that one is taken, at any. */
async function startAt(port: number | undefined, options: EdgeOptions): Promise<Edge> {
  if (port !== undefined) return startEdge({ ...options, port });
  try {
    return await startEdge({ ...options, port: DEFAULT_PORT });
  } catch {
    console.error(`Port ${DEFAULT_PORT} is taken; taking a free one.`);
    return startEdge({ ...options, port: 0 });
  }
}

const withIndex =
  (origin: Origin): Origin =>
  (request) => {
    const url = new URL(request.url);
    if (url.pathname === '/') url.pathname = '/index.html';
    return origin(new Request(url, request));
  };
