import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Closing } from '../../../../system/closing.ts';
import { asJson } from '../../../../system/replace-files.ts';
import { runQuietly } from '../../../../system/run-quietly.ts';
import { openSwitchPath, type SwitchPath } from '../../../network/links/switch-path.ts';
import { parseCpuTicks } from '../../../network/measure/machine/proc-files.ts';
import { startLabProgram } from '../../../ground/programs/program.ts';
import type { RunOutcome } from '../../../harness/runs/study.ts';
import type { World } from '../demand.ts';
import type { LinkResult } from '../results/link-result.ts';
import { busyBetween, invalidHour, type WatchedHour } from './hour-watch.ts';
import { tcpLinkRun, type TcpLinkSpec } from './link-spec.ts';
import { startNominalEdge } from './nominal-edge.ts';
import { plannedSessions, type PlayedHour } from './real-time.ts';
import { makeRows } from './make-rows.ts';
import type { ViewersLeft, ViewersTask } from './viewers.ts';
import { firstServed } from '../../../ground/programs/first-served.ts';
import { serveRun } from '../../../harness/runs/serve-run.ts';

// This process needs the highest priority, because the link is idle while the edge or the switch waits for a processor.
firstServed();
serveRun(tcpLinkRun, runTcpLink);

const READY_WITHIN_S = 60;
/** The time within which the last viewers must leave, s. */
const PATIENCE_S = 30;
const CONGESTION_CONTROL = 'reno';

/**
 * Plays a link's hours in real time: the P4 switch is the link, an edge is outside, and one process inside plays all
 * viewers. `closing` stops everything that was started, even if the run ends early.
 */
async function runTcpLink(
  { run, hours, hour_s, folder }: TcpLinkSpec,
  closing: Closing,
): Promise<RunOutcome> {
  try {
    const { world } = run;
    const sessions = plannedSessions(run, hours, hour_s);
    const link = closing.later(
      await openSwitchPath(linkSettings(world), { apart: 'inside', seed: run.seed }),
    );
    const edge = closing.later(
      await startNominalEdge(world, {
        host: link.path.outsideAddress,
        congestionControl: CONGESTION_CONTROL,
      }),
    );
    const manifest = `http://${link.path.outsideAddress}:${edge.port}/film/manifest.mpd`;
    const task = join(folder, 'viewers.json');
    writeFileSync(task, asJson({ manifest, world, sessions } satisfies ViewersTask));
    const viewers = startLabProgram(
      ['nsenter', `--net=/run/netns/${link.namespace}`, '--'],
      new URL('viewers.ts', import.meta.url),
      [task],
    );
    closing.later({ close: () => viewers.stop() });
    await viewers.expect('ready', READY_WITHIN_S);
    viewers.send({ type: 'begin' });
    const left = viewers.expect<ViewersLeft>('left', hour_s * hours.length + PATIENCE_S);
    const [watched, { endings }] = await Promise.all([watchHours(link, hours, hour_s), left]);
    const result: LinkResult = { ...makeRows(sessions, endings, watched, hour_s), hours: watched };
    writeFileSync(join(folder, 'link.json'), asJson(result));
    return { kind: 'finished' };
  } finally {
    await closing.close();
  }
}

const linkSettings = ({ capacity_kbps, queue_ms, rtt_ms }: World) => ({
  rate: { kind: 'constant', mbps: capacity_kbps / 1000 } as const,
  rtt_ms: (rtt_ms.least + rtt_ms.most) / 2,
  queue_bytes: Math.round((capacity_kbps * queue_ms) / 8),
});

/** Waits until all hours are over, and returns the machine's load in each hour. */
async function watchHours(
  { path }: SwitchPath,
  hours: readonly PlayedHour[],
  hour_s: number,
): Promise<WatchedHour[]> {
  const ticks = () => parseCpuTicks(readFileSync('/proc/stat', 'utf8'));
  const began_ms = performance.now();
  const watched: WatchedHour[] = [];
  for (const [index, hour] of hours.entries()) {
    // The kernel remembers measurements of earlier connections by address, and all viewers have the same address.
    await runQuietly('ip', ['tcp_metrics', 'flush', 'all']);
    await path.device.restartLateness();
    const before = ticks();
    await sleep(began_ms + 1000 * hour_s * (index + 1) - performance.now());
    const { lateness } = await path.status();
    const busy_pct = busyBetween(before, ticks());
    const switch_lateness_p99_ms = lateness.p99 / 1000;
    const invalid = invalidHour(busy_pct, switch_lateness_p99_ms);
    watched.push({ ...hour, busy_pct, switch_lateness_p99_ms, ...(invalid !== undefined && { invalid }) });
  }
  return watched;
}
