import cluster from 'node:cluster';
import { milliseconds } from '../../../src/units.ts';
import { lineOf } from '../../../system/line-of.ts';
import type { EdgeExperiments } from '../../experiments.ts';
import { createHandler } from '../../handler.ts';
import { takeSessions } from '../../sessions/sessions-route.ts';
import { checkReachable, urlOrigin } from '../../url-origin.ts';
import { mountOrigins } from '../../via.ts';
import { directoryOrigin } from '../directory-origin.ts';
import { fetchAsSent } from '../fetch-as-sent.ts';
import { addressOf } from '../client-address.ts';
import { asTableOf, type AsTableFile } from '../networks/as-table.ts';
import { startEdge, type ResponseEvent } from '../server.ts';
import { SessionStore } from '../sessions/session-store.ts';
import { ExperimentCounts } from './experiment-counts.ts';
import { watchExperiments } from './experiments-file.ts';
import { Goodput } from './goodput.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';

/**
 * Serves in this process as the settings say, with one line per response on stdout, and with the table of autonomous systems
 * that all processes share. Throws an Error when that fails.
 */
export async function serve(settings: Settings, asTable: AsTableFile | null): Promise<Service> {
  const { congestionControl, tls, admission, isProxied } = settings;
  const onProblem = (line: string) => console.error(line);
  const open = (url: string, forward: readonly string[] = []) =>
    urlOrigin(url, { fetch: fetchAsSent, forward, onProblem });
  const isUrl = /^https?:\/\//i.test(settings.origin);
  const origin = mountOrigins({
    main: isUrl ? open(settings.origin, settings.forwardHeaders) : await directoryOrigin(settings.origin),
    allowed: settings.allowedOrigins,
    open: (url) => open(url),
  });
  if (isUrl) await checkReachable(settings.origin);
  const goodput = new Goodput();
  const counts = new ExperimentCounts();
  const experiments: EdgeExperiments = {
    list: settings.experiments === undefined ? () => [] : watchExperiments(settings.experiments, onProblem),
    cluster: settings.cluster,
    now: () => milliseconds(Date.now()),
    onAssigned: (assignment) => counts.assigned(assignment),
  };
  const handler = createHandler({
    origin,
    limits: settings.limits,
    ...(congestionControl && { congestionControl }),
    credentialsOrigins: settings.credentialsOrigins,
    experiments,
    onProblem,
  });
  const store = openStore(settings, onProblem);
  const edge = await startEdge({
    handler: store
      ? takeSessions(handler, {
          experiments,
          store: (line, request) => store.append(line, isProxied ? undefined : addressOf(request)),
          onBeacon: (outcome, row) => counts.beacon(outcome, row),
        })
      : handler,
    port: settings.port,
    host: settings.host,
    ...(tls && { tls }),
    // A connection begins with the congestion control of unpaced responses, so that only a paced one changes it.
    ...(congestionControl && {
      congestionControl: congestionControl.unpaced,
      furtherCongestionControls: [congestionControl.paced],
    }),
    ...(asTable && { asOf: asTableOf(asTable) }),
    maxConnections: admission.connections,
    maxConnectionsPerAddress: admission.perAddress,
    onResponse: (event) => {
      goodput.note(event);
      console.log(logLine(event));
    },
  });
  return {
    port: edge.port,
    url: edge.url,
    isServing: () => true,
    snapshot: () => ({ stats: edge.stats, goodput: goodput.sent, experiments: counts.totals }),
    drain: (patience) => edge.drain(patience),
    close: async () => {
      await edge.close();
      store?.close();
    },
  };
}

/** Each worker writes files of its own. */
function openStore(
  { sessions, workers }: Settings,
  onProblem: (line: string) => void,
): SessionStore | undefined {
  if (!sessions) return undefined;
  try {
    return new SessionStore({
      ...sessions,
      writer: `w${cluster.worker?.id ?? 0}`,
      writers: workers,
      now: Date.now,
      onProblem,
    });
  } catch (error) {
    const line = `--sessions '${sessions.directory}' cannot be written: ${lineOf(error)}`;
    throw new Error(line, { cause: error });
  }
}

function logLine(event: ResponseEvent): string {
  const rate = (value: number | null) => (value === null ? '-' : String(value));
  return [
    event.url.split('?', 1)[0],
    event.status,
    `rtp=${rate(event.asked_kbps)}`,
    `pace=${rate(event.pace_kbps)}`,
    event.reason,
    `${(event.bytes / 1000).toFixed(1)} kB`,
    `${event.duration_ms.toFixed(0)} ms`,
    ...(event.complete ? [] : ['incomplete']),
  ].join(' ');
}
