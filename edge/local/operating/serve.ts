import cluster from 'node:cluster';
import { milliseconds } from '../../../src/units.ts';
import { errorLine } from '../../../system/error-line.ts';
import type { EdgeExperiments } from '../../experiments.ts';
import { PaceChanges, type PaceChange } from '../changes/pace-changes.ts';
import { takeChanges } from '../changes/take-changes.ts';
import { createHandler, type Handler } from '../../handler.ts';
import type { Origin } from '../../origin.ts';
import { takeSessions } from '../../sessions/sessions-route.ts';
import { checkReachable, urlOrigin } from '../../url-origin.ts';
import { mountOrigins } from '../../via.ts';
import { directoryOrigin } from '../directory-origin.ts';
import { getAddress } from '../client-address.ts';
import type { Log } from '../logging/log.ts';
import { EdgeMetrics } from '../metrics/edge-metrics.ts';
import { measuredFetch } from '../metrics/measured-fetch.ts';
import { loadedYieldControl } from '../kernel/bpf/yield-control.ts';
import { parseAsTableFile, type AsTableFile } from '../networks/as-table.ts';
import { recordArm } from '../request-arm.ts';
import { noStats } from '../response-event.ts';
import { startEdge, type Edge } from '../server.ts';
import { SessionStore } from '../sessions/session-store.ts';
import { watchExperiments } from './experiments-file.ts';
import { holdoutExperiment } from './holdout.ts';
import { MissingSids } from './missing-sids.ts';
import type { Service } from './service.ts';
import type { LiveSettings, Settings } from './settings.ts';

/**
 * Serves in this process with the given settings, and logs each response. `asTable` is the table of autonomous systems
 * that all processes share. Throws an Error if the edge cannot start.
 */
export async function serve(
  settings: Settings,
  asTable: AsTableFile | null,
  log: Log,
  /** Called with changes of responses that are not in flight in this process. */
  elsewhere: (change: PaceChange) => void = () => undefined,
): Promise<Service> {
  const { congestionControl, admission, isProxied } = settings;
  let live = settings.live;
  const onProblem = (line: string) => log.warn(line);
  let stats: Edge['stats'] = noStats();
  const metrics = new EdgeMetrics({
    stats: () => stats,
    unwritten: () => log.unwritten,
    isSwitchedOff: () => live.limits.switchedOff,
    holdout: () => live.holdout,
  });
  const experiments = createExperiments(settings, { live: () => live, metrics, onProblem });
  const yieldControl = settings.yields ? await loadedYieldControl() : undefined;
  const createHandlerFor = await openHandlers(settings, { experiments, metrics, onProblem, yieldControl });
  let handler = createHandlerFor(live);
  const changes = new PaceChanges();
  const answer = takeChanges((request) => handler(request), {
    limits: () => live.limits,
    ...(congestionControl && { congestionControl }),
    ...(yieldControl !== undefined && { yieldControl }),
    apply: (change) => {
      if (!changes.apply(change)) elsewhere(change);
    },
  });
  const store = openStore(settings, onProblem);
  const edge = await startEdge({
    handler: store
      ? takeSessions(answer, {
          experiments,
          store: (line, request) => store.append(line, isProxied ? undefined : getAddress(request)),
          onBeacon: (outcome, row) => metrics.beacon(outcome, row),
        })
      : answer,
    port: settings.port,
    host: settings.host,
    ...(live.tls && { tls: live.tls }),
    // Connections begin with the congestion control of unpaced responses, so that only paced responses change the
    // congestion control.
    ...(congestionControl && { congestionControl: congestionControl.unpaced }),
    furtherCongestionControls: [congestionControl?.paced, yieldControl].filter((name) => name !== undefined),
    ...(asTable && { asOf: parseAsTableFile(asTable) }),
    changes,
    maxConnections: admission.connections,
    maxConnectionsPerAddress: admission.perAddress,
    onWarning: onProblem,
    onResponse(event) {
      metrics.response(event);
      log.response(event);
    },
  });
  stats = edge.stats;
  return {
    port: edge.port,
    url: edge.url,
    isServing: () => true,
    snapshot: async () => ({ stats: edge.stats, processes: [await metrics.families()] }),
    reload(next) {
      handler = createHandlerFor(next);
      if (next.tls) edge.useCertificate(next.tls);
      log.level = next.logLevel;
      live = next;
    },
    changePace: (change) => void changes.apply(change),
    drain: (patience) => edge.drain(patience),
    close: async () => {
      await edge.close();
      store?.close();
    },
  };
}

interface HandlerParts {
  readonly experiments: EdgeExperiments;
  readonly metrics: EdgeMetrics;
  readonly onProblem: (line: string) => void;
  readonly yieldControl: string | undefined;
}

/** Opens the main origin. Returns a function that creates a handler for the settings that a reload may change. */
async function openHandlers(
  { origin, forwardHeaders, congestionControl }: Settings,
  { experiments, metrics, onProblem, yieldControl }: HandlerParts,
): Promise<(live: LiveSettings) => Handler> {
  const fetch = measuredFetch((outcome, time) => metrics.origin(outcome, time));
  const open = (url: string, forward: readonly string[] = []): Origin =>
    urlOrigin(url, { fetch, forward, onProblem });
  const isUrl = /^https?:\/\//i.test(origin);
  const main = isUrl ? open(origin, forwardHeaders) : await directoryOrigin(origin);
  const createLiveHandler = ({ limits, allowedOrigins, credentialsOrigins }: LiveSettings): Handler =>
    createHandler({
      origin: mountOrigins({
        main,
        allowed: allowedOrigins,
        setting: '--allow-origin',
        open: (url) => open(url),
      }),
      limits,
      ...(congestionControl && { congestionControl }),
      ...(yieldControl !== undefined && { yieldControl }),
      credentialsOrigins,
      experiments,
      onProblem,
    });
  if (isUrl) await checkReachable(origin);
  return createLiveHandler;
}

/** Creates the experiments, whose events are reported to the metrics and the log. */
const createExperiments = (
  settings: Settings,
  {
    live,
    metrics,
    onProblem,
  }: Pick<HandlerParts, 'metrics' | 'onProblem'> & { readonly live: () => LiveSettings },
): EdgeExperiments => {
  const sids = new MissingSids(onProblem);
  return {
    list: listExperiments(settings, live, onProblem),
    onPaceRequest: (hasSession) => sids.request(hasSession),
    cluster: settings.cluster,
    now: () => milliseconds(Date.now()),
    onAssigned(assignment, request) {
      metrics.assigned(assignment);
      recordArm(request, assignment);
    },
  };
};

/**
 * Returns the experiments of the file, followed by the holdout, which includes every session that is in no other
 * experiment.
 */
function listExperiments(
  { experiments: file }: Settings,
  live: () => LiveSettings,
  onProblem: (line: string) => void,
): EdgeExperiments['list'] {
  const ofFile = file === undefined ? () => [] : watchExperiments(file, onProblem);
  return () => {
    const { holdout } = live();
    return holdout > 0 ? [...ofFile(), holdoutExperiment(holdout)] : ofFile();
  };
}

/** Opens the store for session reports. Each worker writes its own files. */
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
    const line = `--sessions '${sessions.directory}' cannot be written: ${errorLine(error)}`;
    throw new Error(line, { cause: error });
  }
}
