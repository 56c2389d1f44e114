import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHandler, type HandlerOptions } from '../../edge/handler.ts';
import { directoryOrigin } from '../../edge/local/directory-origin.ts';
import { startEdge, type Edge, type EdgeOptions, type ResponseEvent } from '../../edge/local/server.ts';
import { takeVerdict } from '../../edge/internal-headers.ts';
import type { Origin } from '../../edge/origin.ts';
import { paceLimits } from '../../edge/policy.ts';
import { originsByPrefix } from '../../edge/prefixes.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Decides, request by request, to answer with a failure instead of the content. */
export type Fault = (url: URL) => Response | undefined | Promise<Response | undefined>;

export interface TestEdge {
  readonly url: string;
  readonly port: number;
  /** Every finished response of media, in order. */
  readonly responses: ResponseEvent[];
  fault: Fault;
  /** A server that serves everything as fast as it can, and says nothing of it. */
  ignoresRtp: boolean;
  close(): Promise<void>;
}

/** The pages of the tests, the built plug-in, the versions of dash.js and the content. */
export async function testOrigin(contentDirectory: string): Promise<Origin> {
  return originsByPrefix({
    '/content/': await directoryOrigin(contentDirectory),
    '/dist/': await directoryOrigin(join(root, 'dist')),
    '/dashjs5/': await directoryOrigin(join(root, 'node_modules/dashjs/dist/modern')),
    '/dashjs5.1/': await directoryOrigin(join(root, 'node_modules/dashjs-v5.1/dist/modern')),
    '/dashjs5-legacy/': await directoryOrigin(join(root, 'node_modules/dashjs/dist/legacy')),
    '/dashjs4/': await directoryOrigin(join(root, 'node_modules/dashjs-v4/dist')),
    '/': await directoryOrigin(join(root, 'e2e/pages')),
  });
}

/** The edge as it is deployed, on loopback, with all that the tests need behind it. */
export async function startTestEdge(
  contentDirectory: string,
  {
    credentialsOrigins = [],
    ...options
  }: Pick<EdgeOptions, 'port' | 'tls'> & Pick<HandlerOptions, 'credentialsOrigins'> = {},
): Promise<TestEdge> {
  const content = await testOrigin(contentDirectory);
  const responses: ResponseEvent[] = [];
  const state = { fault: (() => undefined) as Fault, ignoresRtp: false };
  const origin: Origin = async (request) => (await state.fault(new URL(request.url))) ?? content(request);
  const honoring = createHandler({ origin, limits: paceLimits({}), credentialsOrigins });
  const edge: Edge = await startEdge({
    handler: async (request) => {
      const answer = await honoring(request);
      if (state.ignoresRtp) takeVerdict(answer.headers);
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

/** Those of `responses` that carried media segments, not initialization, manifests or scripts. */
export const segmentsOf = (responses: readonly ResponseEvent[]): ResponseEvent[] =>
  responses.filter(({ url }) => /^\/content\/.*\/\d+\.m4s/.test(url));
