import { Backend } from 'fastly:backend';
import { ConfigStore } from 'fastly:config-store';
import { Logger } from 'fastly:logger';
import { timedOut, type FetchWithin } from '../fetch-within.ts';
import { createHandler } from '../handler.ts';
import { INTERNAL_HEADERS } from '../internal-headers.ts';
import { plainResponse, type Origin } from '../origin.ts';
import { urlOrigin } from '../url-origin.ts';
import { mountOrigins } from '../via.ts';
import { CONFIG_STORE, readConfig, type ServiceConfig } from './config.ts';
import { isMedia, LOG_ENDPOINT, logLine } from './log-line.ts';

/**
 * The edge's handler as a Fastly Compute service. Compute cannot pace a client's socket: the verdict leaves
 * in internal headers, and the VCL service in front (edge/vcl/fastly.vcl) applies it.
 */
interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

addEventListener('fetch', (event) => {
  const asked = event as FetchEvent;
  asked.respondWith(serve(asked.request));
});

async function serve(request: Request): Promise<Response> {
  const began = performance.now();
  const store = new ConfigStore(CONFIG_STORE);
  const config = readConfig((key) => store.get(key));
  const log = new Logger(LOG_ENDPOINT);
  for (const problem of config.problems) log.log(JSON.stringify({ problem }));

  const handler = createHandler({ origin: openOrigin(config, log), limits: config.limits });
  const answer = await handler(request);
  if (config.congestionControl !== null) {
    answer.headers.set(INTERNAL_HEADERS.congestionControl, config.congestionControl);
  }
  if (isMedia(new URL(request.url), answer)) log.log(logLine(request, answer, performance.now() - began));
  return withOwnLength(answer);
}

function openOrigin({ origin, allowed }: ServiceConfig, log: Logger): Origin {
  try {
    const main = urlOrigin(origin, { fetch: through(() => 'origin') });
    return mountOrigins({ main, allowed, open: (url) => urlOrigin(url, { fetch: through(dynamicBackend) }) });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    log.log(JSON.stringify({ problem }));
    return () => Promise.resolve(plainResponse(500, `the edge is not set up: ${problem}`));
  }
}

/** Compute's fetch wants a backend and knows no abort: whoever waits no longer leaves it behind. */
const through =
  (backendOf: (url: URL) => string | Backend): FetchWithin =>
  (request, timeout) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(timedOut()), timeout);
      const init = { backend: backendOf(new URL(request.url)) } as RequestInit;
      fetch(request, init)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });

/** For an origin of the allow-list, which may change while the service runs. */
function dynamicBackend({ protocol, host, hostname }: URL): Backend {
  const useSSL = protocol === 'https:';
  return new Backend({
    name: host,
    target: host,
    hostOverride: host,
    useSSL,
    ...(useSSL && { sniHostname: hostname, certificateHostname: hostname }),
  });
}

/** Unless told so, Compute drops the Content-Length of a streamed body, and players lose their progress events. */
function withOwnLength(answer: Response): Response {
  const { status, headers, body } = answer;
  const init = { status, headers, manualFramingHeaders: headers.has('Content-Length') };
  return new Response(body, init);
}
