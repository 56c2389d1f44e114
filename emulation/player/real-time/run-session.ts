import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from '@playwright/test';
import { runQuietly } from '../../../system/run-quietly.ts';
import { errorLine } from '../../../system/error-line.ts';
import { findBusyReason } from '../../network/measure/machine/busy-rule.ts';
import { findLateReason } from '../../network/measure/machine/late-rule.ts';
import { watchMachine } from '../../network/measure/machine/machine-watch.ts';
import { attributeRetransmits } from '../../network/measure/retransmits.ts';
import { summarizeRtt } from '../../network/measure/rtt-digest.ts';
import type { MediaEdge } from '../../network/edges/edge.ts';
import { startTcpProbe } from '../../network/measure/tcp-probe.ts';
import { tcpRows } from '../../network/measure/tcp-rows.ts';
import { neighborNamed } from '../neighbors/index.ts';
import { startLabProgram } from '../../ground/programs/program.ts';
import type { RunRecord } from '../records/run-record.ts';
import type { RunOutcome } from '../../harness/runs/study.ts';
import { calibrate } from '../../network/links/calibrate.ts';
import { enterNetwork, openShell, type Shell } from '../../network/links/shell.ts';
import { openSwitchShell } from '../../network/links/switch-shell.ts';
import { lightPlayer } from '../light/light-player.ts';
import { openBrowser } from './browser.ts';
import { browserPlayer } from './browser-player.ts';
import { setBurst } from './burst.ts';
import type { Closing } from '../../../system/closing.ts';
import { findFlights, computeMetrics } from '../records/measurements.ts';
import { findNetworkError, type Play } from '../records/play.ts';
import { type RunSpec, sessionRun } from './run-spec.ts';
import { startServers } from './servers.ts';
import { writeRun } from './write-run.ts';
import { serveRun } from '../../harness/runs/serve-run.ts';

serveRun(sessionRun, runSession);

/** The time that a session may take in addition to its length, s. It allows for a browser on a busy machine. */
const SESSION_MARGIN_S = 30;
const OFFERED_TOLERANCE = 0.02;
/**
 * The time from the start of a link with a varying rate to the session. Most sessions are ready by then, so that all
 * arms meet the same rates.
 */
const VARYING_LEAD_MS = 20_000;

/** The time in ms since 1970, with a higher resolution than Date.now. */
const now = (): number => performance.timeOrigin + performance.now();

/** Registers a function that ends a part of the run that has been started. */
type Started = Pick<Closing, 'later'>;

/**
 * Makes one run: opens and calibrates the link, starts the edge outside the link's network namespace and the player
 * inside it, plays the session, and writes the measurements into `spec.folder`. `closing` ends everything that was started when this function returns or
 * throws, or earlier if the run is aborted.
 */
async function runSession(spec: RunSpec, closing: Closing): Promise<RunOutcome> {
  try {
    const started = new Date().toISOString();
    const opened = spec.switch === 'p4' ? openSwitchShell(spec.link, spec.k) : openShell(spec.link);
    const shell = closing.later(await opened);
    const opened_ms = now();
    // The kernel remembers the slow start threshold of earlier connections by address, and every run has the same
    // addresses.
    await runQuietly('ip', ['tcp_metrics', 'flush', 'all']);
    const machine = closing.later(await watchMachine());
    const calibration = await calibrate(shell, spec.link);
    await machine.calibrationEnded();
    if (!calibration.valid) return { kind: 'invalid', reason: calibration.reason ?? 'calibration failed' };

    const players = await startPlayers(spec, shell, closing);
    const { player, servers, neighbor, urls } = players;
    const probe = await startTcpProbe({ port: servers.media.port });
    closing.later({ close: () => probe.stop() });
    if (spec.link.rate.kind !== 'constant') await sleep(Math.max(0, opened_ms + VARYING_LEAD_MS - now()));
    await shell.markStart();
    await machine.sessionStarted();
    const played = await player.play(makePlay(spec, urls), spec.seconds + SESSION_MARGIN_S, () => {
      machine.playbackStarted();
      return neighbor?.playbackStarted();
    });
    const load = await machine.sessionEnded();
    const too_busy = findBusyReason(load);
    const player_error = findNetworkError(played);

    const { requestedAt_ms, decisions } = played;
    const { seconds } = spec;
    const until_ms = requestedAt_ms + seconds * 1000;
    const acks = await probe.stop();
    const neighborly = await neighbor?.finish({ requestedAt_ms, seconds, flights: findFlights(decisions) });
    const read = await shell.readLink({ origin_ms: requestedAt_ms, until_ms });
    const { log: link, queue, lost, lateness_p99_ms } = read;
    if (lost > 0) return { kind: 'invalid', reason: `${lost} postcards of the switch were lost` };
    const off = findLateReason(lateness_p99_ms) ?? rateDifference(spec, link.totals.offered_bytes);
    if (off !== undefined) return { kind: 'invalid', reason: off };

    const window_ms = [acks.fromEpoch_ms(requestedAt_ms), acks.fromEpoch_ms(until_ms)] as const;
    const rtt = summarizeRtt(acks.events, ...window_ms);
    const retransmits = attributeRetransmits(await servers.media.responses(), decisions);
    const record: RunRecord = {
      arm: spec.arm,
      ...(spec.condition !== undefined && { condition: spec.condition }),
      k: spec.k,
      edge: spec.edge,
      ...(spec.viewers !== 'chromium' && { viewers: spec.viewers }),
      started,
      requested: new Date(requestedAt_ms).toISOString(),
      seconds,
      ...(link.traceAt_ms !== undefined && { trace_at_ms: link.traceAt_ms }),
      calibration,
      machine_busy_pct: load.session.busy_pct,
      machine: load,
      ...(too_busy !== undefined && { too_busy }),
      ...(lateness_p99_ms !== null && { switch_lateness_p99_ms: lateness_p99_ms }),
      tcp_records_lost: acks.lost,
      ...(player_error !== undefined && { player_error }),
      warnings: played.warnings,
      summary: played.summary,
      metrics: {
        ...computeMetrics(played, link.totals, rtt, retransmits, calibration),
        ...neighborly?.metrics,
      },
    };
    await writeRun(spec.folder, record, played, {
      link: link.rows,
      queue,
      tcp: tcpRows(acks.events, ...window_ms),
      neighbor: neighborly?.csv,
    });
    return too_busy === undefined ? { kind: 'finished' } : { kind: 'busy', reason: too_busy };
  } catch (error) {
    return { kind: 'failed', reason: errorLine(error) };
  } finally {
    await closing.close();
  }
}

/** Starts the edge outside, and the player and the experiment's neighbor, if any, inside. */
async function startPlayers(spec: RunSpec, shell: Shell, closing: Started) {
  const servers = closing.later(await startServers(spec));
  await shell.setVideoPort(servers.media.port);
  if (spec.burst_packets !== undefined) closing.later({ close: await setBurst(spec.burst_packets) });
  const inside = ({
    port,
    scheme = 'http',
  }: {
    readonly port: number;
    readonly scheme?: MediaEdge['scheme'];
  }) => `${scheme}://${shell.outsideHost}:${port}`;
  const urls = {
    page: `${inside(servers.page)}/index.html`,
    manifest: `${inside(servers.media)}/film/manifest.mpd`,
    sidecar: `${inside(servers.media)}/film/quality.json`,
  };

  const player = closing.later(
    await (spec.viewers === 'chromium'
      ? browserPlayer(shell.pid, urls.page)
      : lightPlayer(shell.pid, spec.viewers)),
  );
  let beside: Promise<Browser> | undefined;
  const neighbor =
    spec.neighbor === undefined
      ? undefined
      : closing.later(
          await neighborNamed(spec.neighbor).start({
            outsideHost: shell.outsideHost,
            startInside: (program, args) => startLabProgram(enterNetwork(shell.pid), program, args),
            openPage: async (url) => {
              beside ??= openBrowser(shell.pid).then((started) => closing.later(started));
              const opened = await (await beside).newPage();
              await opened.goto(url);
              return opened;
            },
            videoPageUrl: urls.page,
            manifestUrl: `${inside(servers.neighbor)}/film/manifest.mpd`,
            now,
          }),
        );
  return { servers, urls, player, neighbor };
}

const makePlay = (spec: RunSpec, urls: Pick<Play, 'manifest' | 'sidecar'>): Play => ({
  arm: spec.arm,
  ...(spec.tuned && { tuned: spec.tuned }),
  sammy: spec.sammy,
  manifest: urls.manifest,
  sidecar: urls.sidecar,
  seconds: spec.seconds,
  ...(spec.buffer_s !== undefined && { buffer_s: spec.buffer_s }),
  ...(spec.history !== undefined && { history: spec.history }),
});

/**
 * Returns a message if the link did not offer the requested rate, for example because the emulator stalled; otherwise
 * undefined.
 */
function rateDifference({ link, seconds }: RunSpec, offered_bytes: number): string | undefined {
  if (link.rate.kind !== 'constant') return undefined;
  const offered_mbps = (offered_bytes * 8) / 1e6 / seconds;
  if (Math.abs(offered_mbps / link.rate.mbps - 1) <= OFFERED_TOLERANCE) return undefined;
  return `the link offered ${offered_mbps.toFixed(2)} Mbit/s during the session, expected ${link.rate.mbps}`;
}
