import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHandler, type HandlerOptions } from '../../edge/handler.ts';
import { PaceChanges } from '../../edge/local/changes/pace-changes.ts';
import { takeChanges } from '../../edge/local/changes/take-changes.ts';
import { directoryOrigin } from '../../edge/local/directory-origin.ts';
import { startEdge, type Edge, type EdgeOptions, type ResponseEvent } from '../../edge/local/server.ts';
import { takeVerdict } from '../../edge/internal-headers.ts';
import type { Origin } from '../../edge/origin.ts';
import { paceLimits } from '../../edge/policy.ts';
import { originsByPrefix } from '../../edge/prefixes.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Returns a response to send instead of the content, or undefined to send the content. */
export type Fault = (url: URL, request: Request) => Response | undefined | Promise<Response | undefined>;

export interface TestEdge {
  readonly url: string;
  readonly port: number;
  /** All finished responses to media requests, in order. */
  readonly responses: ResponseEvent[];
  fault: Fault;
  /** If true, the edge serves everything unpaced, without receipts. */
  ignoresRtp: boolean;
  /** If true, the edge answers 403 to every request with `rtp`. */
  refusesRtp: boolean;
  /** If true, the edge sends no `Timing-Allow-Origin`. */
  hidesTiming: boolean;
  close(): Promise<void>;
}

/** Serves the tests' pages, the built plug-in, the versions of dash.js and the content. */
export async function testOrigin(contentDirectory: string): Promise<Origin> {
  return originsByPrefix({
    '/content/': await directoryOrigin(contentDirectory),
    '/dist/': await directoryOrigin(join(root, 'dist')),
    '/models/': await directoryOrigin(join(root, 'models')),
    '/dashjs5/': await directoryOrigin(join(root, 'node_modules/dashjs/dist/modern')),
    '/dashjs5.1/': await directoryOrigin(join(root, 'node_modules/dashjs-v5.1/dist/modern')),
    '/dashjs5-legacy/': await directoryOrigin(join(root, 'node_modules/dashjs/dist/legacy')),
    '/dashjs4/': await directoryOrigin(join(root, 'node_modules/dashjs-v4/dist')),
    '/hls1.7/': await directoryOrigin(join(root, 'node_modules/hls.js/dist')),
    '/shaka/': await directoryOrigin(join(root, 'node_modules/shaka-player/dist')),
    '/hls1.6/': await directoryOrigin(join(root, 'node_modules/hls.js-v1.6/dist')),
    '/': await directoryOrigin(join(root, 'e2e/pages')),
  });
}

const carriesRtp = ({ url, headers }: Request): boolean =>
  /\brtp=/.test(`${decodeURIComponent(url)} ${headers.get('CMCD-Status') ?? ''}`);

/**
 * Starts the local edge on loopback, with support for changing paces like `npm run edge`, in front of an origin with
 * everything that the tests need.
 */
export async function startTestEdge(
  contentDirectory: string,
  {
    credentialsOrigins = [],
    ...options
  }: Pick<EdgeOptions, 'port' | 'tls'> & Pick<HandlerOptions, 'credentialsOrigins'> = {},
): Promise<TestEdge> {
  const content = await testOrigin(contentDirectory);
  const responses: ResponseEvent[] = [];
  const state = {
    fault: (() => undefined) as Fault,
    ignoresRtp: false,
    refusesRtp: false,
    hidesTiming: false,
  };
  const origin: Origin = async (request) =>
    (await state.fault(new URL(request.url), request)) ?? content(request);
  const [limits, changes] = [paceLimits({}), new PaceChanges()];
  const honoring = takeChanges(createHandler({ origin, limits, credentialsOrigins }), {
    limits: () => limits,
    apply: (change) => void changes.apply(change),
  });
  const edge: Edge = await startEdge({
    changes,
    handler: async (request) => {
      if (state.refusesRtp && carriesRtp(request)) return new Response('no\n', { status: 403 });
      const answer = await honoring(request);
      if (state.ignoresRtp) takeVerdict(answer.headers);
      if (state.hidesTiming) answer.headers.delete('Timing-Allow-Origin');
      return answer;
    },
    ...options,
    onResponse: (event) => responses.push(event),
  });
  return Object.assign(state, {
    url: edge.url,
    port: edge.port,
    responses,
    close: () => edge.close(),
  });
}

/** Returns the responses with media segments, without initialization segments, manifests and scripts. */
export const selectSegments = (responses: readonly ResponseEvent[]): ResponseEvent[] =>
  responses.filter(({ url }) => /^\/content\/.*\/\d+\.m4s/.test(url));
