import { Backend } from 'fastly:backend';
import { CacheOverride } from 'fastly:cache-override';
import { ConfigStore } from 'fastly:config-store';
import { env } from 'fastly:env';
import { Logger } from 'fastly:logger';
import { milliseconds } from '../../src/units.ts';
import type { EdgeExperiments } from '../experiments.ts';
import { timedOut, type FetchWithin } from '../fetch-within.ts';
import { createHandler } from '../handler.ts';
import { takeSessions, type Stored } from '../sessions/sessions-route.ts';
import type { Origin } from '../origin.ts';
import { urlOrigin } from '../url-origin.ts';
import { mountOrigins } from '../via.ts';
import { CONFIG_STORE, readConfig, type ServiceConfig } from './config.ts';
import { isMedia, LOG_ENDPOINT, logLine, SESSIONS_ENDPOINT } from './log-line.ts';

interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/**
 * The edge's handler as a Fastly Compute service. Compute cannot pace a client's socket, so the service sends the
 * verdict in internal headers to the VCL service in front of it (edge/vcl/fastly.vcl), which applies the verdict.
 */
addEventListener('fetch', (event) => {
  const asked = event as FetchEvent;
  asked.respondWith(serve(asked.request));
});

async function serve(request: Request): Promise<Response> {
  const began = performance.now();
  const log = new Logger(LOG_ENDPOINT);
  const onProblem = (problem: string): void => log.log(JSON.stringify({ problem }));
  const config = readStore();
  for (const problem of config.problems) onProblem(problem);

  const origin = openOrigin(config, new URL(request.url).origin, onProblem);
  const experiments: EdgeExperiments = {
    list: () => config.experiments,
    cluster: config.cluster.replaceAll('{pop}', env('FASTLY_POP') || 'default'),
    now: () => milliseconds(Date.now()),
  };
  const handler = createHandler({
    origin,
    limits: config.limits,
    ...(config.congestionControl && { congestionControl: config.congestionControl }),
    credentialsOrigins: config.credentialsOrigins,
    experiments,
    onProblem,
  });
  const all = config.takesSessions ? takeSessions(handler, { experiments, store: storeInLog }) : handler;
  const answer = await all(request);
  if (isMedia(new URL(request.url), answer)) log.log(logLine(request, answer, performance.now() - began));
  return withOwnLength(answer);
}

/** A log endpoint gives no feedback, so every line counts as stored. */
function storeInLog(line: string): Stored {
  new Logger(SESSIONS_ENDPOINT).log(line);
  return 'stored';
}

/** Reads the config store. A store that is not linked counts as empty, with `pacing` off. */
function readStore(): ServiceConfig {
  try {
    const store = new ConfigStore(CONFIG_STORE);
    return readConfig((key) => store.get(key));
  } catch (error) {
    const unset = readConfig((key) => (key === 'pacing' ? 'off' : null));
    return {
      ...unset,
      problems: [`the config store '${CONFIG_STORE}' cannot be read: ${errorMessage(error)}`],
    };
  }
}

/** The main origin. Without a valid URL in the config store, the backend receives the client's own URL. */
function openOrigin(
  { origin, allowed, forwardHeaders: forward }: ServiceConfig,
  asked: string,
  onProblem: (problem: string) => void,
): Origin {
  const open = (url: string) => urlOrigin(url, { fetch: through(dynamicBackend), onProblem });
  const mount = (url: string) =>
    mountOrigins({
      main: urlOrigin(url, { fetch: through(() => 'origin', forward), forward, onProblem }),
      allowed,
      setting: 'allowed_origins',
      open,
    });
  try {
    return mount(origin);
  } catch (error) {
    onProblem(errorMessage(error));
    return mount(asked);
  }
}

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Creates a fetch through a backend. A request with any header of `forwarded` is specific to a viewer, so it bypasses
 * Fastly's cache. Compute cannot abort a fetch, so after the timeout, the result is ignored.
 */
const through =
  (getBackend: (url: URL) => string | Backend, forwarded: readonly string[] = []): FetchWithin =>
  (request, timeout) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(timedOut()), timeout);
      const passes = forwarded.some((name) => request.headers.has(name));
      const init = {
        backend: getBackend(new URL(request.url)),
        ...(passes && { cacheOverride: new CacheOverride('pass') }),
      } as RequestInit;
      fetch(request, init)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });

/**
 * The backends registered so far. A name may be registered only once, but redirects may lead to the same name
 * repeatedly.
 */
const backends = new Map<string, Backend>();

/**
 * Returns the backend of an allowed origin. Registered on demand, because the list may change while the service runs.
 */
function dynamicBackend(url: URL): Backend {
  const backend = backends.get(url.origin) ?? newBackend(url);
  backends.set(url.origin, backend);
  return backend;
}

function newBackend({ origin, protocol, host, hostname }: URL): Backend {
  const useSSL = protocol === 'https:';
  return new Backend({
    name: origin,
    target: host,
    hostOverride: host,
    useSSL,
    ...(useSSL && { sniHostname: hostname, certificateHostname: hostname }),
  });
}

/**
 * Keeps the Content-Length of a streamed body. Compute removes it by default, but players need it for progress events.
 */
function withOwnLength(answer: Response): Response {
  const { status, headers, body } = answer;
  const init = { status, headers, manualFramingHeaders: headers.has('Content-Length') };
  return new Response(body, init);
}
