import { mkdirSync } from 'node:fs';
import { directoryOrigin } from '../../../../edge/local/directory-origin.ts';
import { originsByPrefix } from '../../../../edge/prefixes.ts';
import { ranged } from '../../../../edge/ranged.ts';
import { loopedFilm } from '../../../../media/looped-film.ts';
import type { Closing } from '../../../../system/closing.ts';
import { errorLine } from '../../../../system/error-line.ts';
import { asJson, replaceFiles } from '../../../../system/replace-files.ts';
import { runQuietly } from '../../../../system/run-quietly.ts';
import { nodeEdge } from '../../../network/edges/node-edge.ts';
import { writeTables } from '../../export/write-tables.ts';
import { enterNetwork, openShell } from '../../../network/links/shell.ts';
import { shiftLink } from '../../../network/links/trace-files/link-from.ts';
import { findBusyReason } from '../../../network/measure/machine/busy-rule.ts';
import { watchMachine } from '../../../network/measure/machine/machine-watch.ts';
import { startLabProgram } from '../../../ground/programs/program.ts';
import type { RunOutcome } from '../../../harness/runs/study.ts';
import { timesFor } from '../../../player/model/player/film-for.ts';
import { readSidecarFile } from '../../../player/virtual-time/simulated-film.ts';
import type { PlayedSession } from '../../../player/light/viewer.ts';
import { toExportedSession } from '../to-exported-session.ts';
import { RECORD } from '../part.ts';
import { type SessionRecord, type SessionSpec, trialSessionRun } from './session-spec.ts';
import type { ViewerTask } from './viewer.ts';
import { serveRun } from '../../../harness/runs/serve-run.ts';

serveRun(trialSessionRun, runTcpSession);

const READY_WITHIN_S = 60;
/** The time that a session may take in addition to its length, s. */
const PATIENCE_S = 30;
const CONGESTION_CONTROL = 'reno';

/**
 * Plays one session in real time: a mahimahi link that begins at the drawn position of the trace, the edge outside, and
 * a viewer without a browser inside. Writes into `spec.folder`. The caller decides whether to keep the session.
 * `closing` ends everything that was started.
 */
async function runTcpSession(spec: SessionSpec, closing: Closing): Promise<RunOutcome> {
  try {
    const { course, traced, session, arm } = spec;
    const shell = closing.later(await openShell(shiftLink(traced.link, session.offset_ms)));
    const machine = closing.later(await watchMachine());
    // The kernel remembers metrics of earlier connections by address, and addresses are reused.
    await runQuietly('ip', ['tcp_metrics', 'flush', 'all']);
    const edge = closing.later(await startEdge(course));
    const viewer = startLabProgram(enterNetwork(shell.pid), new URL('viewer.ts', import.meta.url), [
      JSON.stringify({
        manifest: `http://${shell.outsideHost}:${edge.port}/film/manifest.mpd`,
        ...{ film: course.film, longest_s: course.longest_s, seconds: session.watch_s },
        ...{ arm: arm.arm, model: arm.model, explored_pct: arm.explored_pct },
      } satisfies ViewerTask),
    ]);
    closing.later({ close: () => viewer.stop() });
    await viewer.expect('ready', READY_WITHIN_S);
    await machine.calibrationEnded();
    await machine.sessionStarted();
    viewer.send({ type: 'begin' });
    const { played } = await viewer.expect<PlayedSession>('played', Math.ceil(session.watch_s) + PATIENCE_S);
    const load = await machine.sessionEnded();
    const busy = findBusyReason(load);
    mkdirSync(spec.folder, { recursive: true });
    const named = { arm: arm.code, expt_id: arm.expt_id, channel: course.channel, condition: traced.name };
    writeTables(spec.folder, [toExportedSession(played, session, named)]);
    const record: SessionRecord = {
      session_id: session.id,
      arm: arm.code,
      condition: traced.name,
      requested: new Date(played.requestedAt_ms).toISOString(),
      machine: load,
    };
    replaceFiles(spec.folder, { [RECORD]: asJson(record) });
    return busy === undefined ? { kind: 'finished' } : { kind: 'busy', reason: busy };
  } catch (error) {
    return { kind: 'failed', reason: errorLine(error) };
  } finally {
    await closing.close();
  }
}

/** Starts the edge with the video, looped as often as the viewer expects. */
async function startEdge({ film, longest_s }: SessionSpec['course']) {
  const times = timesFor(await readSidecarFile({ directory: film }), longest_s);
  const looped = ranged(await loopedFilm(await directoryOrigin(film), film, times));
  return nodeEdge.start(originsByPrefix({ '/film/': looped }), { congestionControl: CONGESTION_CONTROL });
}
