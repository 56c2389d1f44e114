import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponseEvent } from '../../../../edge/local/server.ts';
import { Closing } from '../../../../system/closing.ts';
import { asJson } from '../../../../system/replace-files.ts';
import { runQuietly } from '../../../../system/run-quietly.ts';
import { firstServed } from '../../../ground/programs/first-served.ts';
import { startLabProgram } from '../../../ground/programs/program.ts';
import { serveRun } from '../../../harness/runs/serve-run.ts';
import type { RunOutcome } from '../../../harness/runs/study.ts';
import { openSwitchPath } from '../../../network/links/switch-path.ts';
import { parseCpuTicks } from '../../../network/measure/machine/proc-files.ts';
import { busyBetween, invalidHour } from '../../world/tcp/hour-watch.ts';
import { startNominalEdge } from '../../world/tcp/nominal-edge.ts';
import {
  FILM,
  getLoad,
  RATE_KBPS,
  planSessions,
  getSite,
  WARM_UP_S,
  type PlannedSession,
} from '../demand.ts';
import { CONTENT_BYTES, FRAME_BYTES } from '../viewers/packet-wire.ts';
import { PACKET_MS, type StackResult } from '../play-stack.ts';
import { keepHour } from '../run-files.ts';
import type { HourSpec } from '../run-spec.ts';
import { sum, type SessionResult } from '../session-result.ts';
import { bufferPackets, type Site, type Stack } from '../sites.ts';
import { stays_s } from '../viewers/visit.ts';
import { liveHourRun } from './live-run.ts';
import { QueueWaits } from './queue-waits.ts';
import type { Ending, ViewersLeft, ViewersTask } from './viewers.ts';

// This process needs the highest priority, because the link is idle while the edges or the switch wait for a processor.
firstServed();
serveRun(liveHourRun, runHour);

const READY_WITHIN_S = 60;
/** The time within which the last viewers must leave. */
const LEAVE_WITHIN_S = 30;
/** Time for data that the kernel still sends to viewers who have left. */
const SETTLE_MS = 500;
const [OFFLOAD, CATALOG] = [0, 1];

/** Plays an hour of a site on each of its stacks, one after the other, in real time through the P4 switch. */
async function runHour(spec: HourSpec, closing: Closing): Promise<RunOutcome> {
  const { site: name, hour, arm, folder } = spec;
  const site = getSite(name, spec.switches);
  const sessions = planSessions(spec);
  const stacks: (Stack & StackResult)[] = [];
  const busy: string[] = [];
  for (const stack of spec.stacks) {
    const own = sessions.filter((each) => each.stack === stack.name);
    const { result, invalid } = await playLive(spec, site, stack, own, closing);
    stacks.push({ ...stack, ...result });
    if (invalid !== undefined) busy.push(invalid);
  }
  const [reason] = busy;
  const too_busy = reason === undefined ? {} : { too_busy: reason };
  keepHour(folder, { site: name, arm, hour, load: getLoad(hour), ...too_busy, stacks });
  return reason === undefined ? { kind: 'finished' } : { kind: 'busy', reason };
}

/** Plays a stack's hour. `invalid` is the reason if this machine was too busy. */
async function playLive(
  { seed, seconds, arm, congestion_control, folder }: HourSpec,
  site: Site,
  { buffer_mb }: Stack,
  sessions: readonly PlannedSession[],
  whole: Closing,
): Promise<{ readonly result: StackResult; readonly invalid: string | undefined }> {
  const closing = whole.later(new Closing());
  try {
    let catalogPort = NaN;
    const waits = new QueueWaits(site.queues, (port) => (port === catalogPort ? CATALOG : OFFLOAD));
    const rtt_ms = meanRtt_ms(site);
    const link = closing.later(
      await openSwitchPath(
        {
          rate: { kind: 'constant', mbps: RATE_KBPS / 1000 },
          ...{ rtt_ms, queue_bytes: bufferPackets(buffer_mb, PACKET_MS) * FRAME_BYTES, weights: [1, 1] },
        },
        { apart: 'inside', seed, onPostcard: (postcard) => waits.note(postcard) },
      ),
    );
    const ended: ResponseEvent[] = [];
    const start = async () =>
      closing.later(
        await startNominalEdge(FILM, {
          host: link.path.outsideAddress,
          congestionControl: congestion_control,
          onResponse: (event) => ended.push(event),
        }),
      );
    const [offload, catalog] = [await start(), await start()];
    catalogPort = catalog.port;
    await link.setVideoPort(offload.port);
    const getManifestUrl = ({ port }: { readonly port: number }) =>
      `http://${link.path.outsideAddress}:${port}/film/manifest.mpd`;
    const end_s = WARM_UP_S + seconds;
    const task = join(folder, 'viewers.json');
    const coming = sessions.map((session) => ({ ...session, stays_s: stays_s({ session, end_s }) }));
    const manifests = { offload: getManifestUrl(offload), catalog: getManifestUrl(catalog) };
    writeFileSync(task, asJson({ manifests, arm, end_s, sessions: coming } satisfies ViewersTask));
    const viewers = startLabProgram(
      ['nsenter', `--net=/run/netns/${link.namespace}`, '--'],
      new URL('viewers.ts', import.meta.url),
      [task],
    );
    closing.later({ close: () => viewers.stop() });
    await viewers.expect('ready', READY_WITHIN_S);
    // The kernel keeps metrics of earlier connections per address, and all viewers have the same address.
    await runQuietly('ip', ['tcp_metrics', 'flush', 'all']);
    await link.path.device.restartLateness();
    const ticks = () => parseCpuTicks(readFileSync('/proc/stat', 'utf8'));
    const before = ticks();
    const began_s = Number(process.hrtime.bigint()) / 1e9;
    waits.count(began_s + WARM_UP_S, began_s + end_s);
    viewers.send({ type: 'begin' });
    const { endings } = await viewers.expect<ViewersLeft>('left', end_s + LEAVE_WITHIN_S);
    await sleep(SETTLE_MS);
    const { lateness } = await link.path.status();
    const invalid = invalidHour(busyBetween(before, ticks()), lateness.p99 / 1000);
    const counters = collectCounters(ended);
    const result = {
      utilization: (8 * waits.bytes) / (1000 * RATE_KBPS * seconds),
      sessions: sessions.flatMap((session, index) =>
        session.at_s < WARM_UP_S ? [] : toSessionResult({ ...session, rtt_ms }, endings[index], counters),
      ),
      queues: waits.results(),
    };
    return { result, invalid };
  } finally {
    await closing.close();
  }
}

/** The mean round-trip time of the site's sessions. On the live link, all sessions have this RTT. */
const meanRtt_ms = ({ rtt_ms, catalogShare }: Site): number => {
  const middle = ([least, most]: readonly [number, number]) => (least + most) / 2;
  return Math.round((1 - catalogShare) * middle(rtt_ms.offload) + catalogShare * middle(rtt_ms.catalog));
};

/** Returns the kernel's counters of each connection at the end of the connection's last response. */
function collectCounters(ended: readonly ResponseEvent[]): ReadonlyMap<string, ResponseEvent['tcp']> {
  return new Map(ended.map(({ connection, tcp }) => [connection, tcp] as const));
}

function toSessionResult(
  { server, queue, rtt_ms }: PlannedSession,
  ending: Ending | undefined,
  counters: ReadonlyMap<string, ResponseEvent['tcp']>,
): SessionResult {
  if (!ending) throw new Error('the viewers have reported no result of a session');
  if ('failure' in ending) throw new Error(`a viewer's session failed: ${ending.failure}`);
  const own = ending.connections.flatMap((name) => counters.get(name) ?? []);
  const packets = (bytes: readonly number[]) => Math.round(sum(bytes) / CONTENT_BYTES);
  return {
    ...{ server, queue, rtt_ms },
    ...ending.watched,
    min_rtt_ms: ending.min_rtt_ms,
    sent_packets: packets(own.map(({ bytes_sent }) => bytes_sent)),
    retransmitted_packets: packets(own.map(({ bytes_retrans }) => bytes_retrans)),
    receive_limited_packets: null,
  };
}
