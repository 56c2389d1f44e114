import type { CompletedDecision } from '../../../src/decision.ts';
import { idleRtt_ms } from '../../network/links/idle-rtt.ts';
import { nearestRank } from '../../ground/statistics/percentiles.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import { Bottleneck } from '../../network/virtual/rounds/bottleneck.ts';
import type { Capacity } from '../../network/virtual/rounds/capacity.ts';
import { congestionControlNamed } from '../../network/virtual/rounds/congestion/index.ts';
import { Connection, type Path } from '../../network/virtual/rounds/connection.ts';
import type { Transfer } from '../../network/virtual/rounds/transfer.ts';
import { REQUEST_MS } from '../../player/model/player/simulated-wire.ts';
import type { Film } from '../../player/model/player/film.ts';
import type { LabRun } from './lab-run.ts';

/** One download, in the lab and simulated. */
export interface Replayed {
  readonly media_type: string;
  readonly size_bytes: number;
  readonly lab_ms: number;
  readonly simulated_ms: number;
  /** The relative error, |simulated / lab - 1|. */
  readonly error: number;
}

export const errorAt = (downloads: readonly Replayed[], fraction: number): number =>
  nearestRank(
    downloads.map(({ error }) => error),
    fraction,
  ) ?? Infinity;

/**
 * Replays the lab's requests at the lab's times through the TCP model, so that only the network is simulated.
 * `capacity` begins when the session begins.
 */
export function replay(
  { link, decisions }: LabRun,
  film: Film,
  capacity: Capacity,
  congestionControl: string,
): Replayed[] {
  const path: Path = {
    bottleneck: new Bottleneck(capacity, link.queue_bytes),
    base_ms: idleRtt_ms(link.rtt_ms),
    loss: link.loss ?? 0,
    random: seededRandom(1),
  };
  const control = congestionControlNamed(congestionControl);
  const connections = new Map<string | undefined, Connection>();
  const sendUntil = (time_ms: number): void => {
    for (;;) {
      let next: Connection | undefined;
      for (const each of connections.values()) if (each.next_ms < (next?.next_ms ?? Infinity)) next = each;
      if (!next || next.next_ms >= time_ms) return;
      next.sendBatch();
    }
  };
  const started: {
    readonly decision: CompletedDecision;
    readonly transfer: Transfer;
    readonly from_ms: number;
  }[] = [];
  const last = new Map<string | undefined, Transfer>();
  const aborts: { readonly at_ms: number; readonly connection: Connection }[] = [];
  for (const decision of decisions) {
    const {
      at_ms,
      download_ms,
      connection: name,
      outcome,
      applied_kbps,
      requested_kbps,
      from_cache,
    } = decision;
    if (from_cache || outcome === 'failed') continue;
    for (const { at_ms: until_ms, connection } of aborts.filter((abort) => abort.at_ms <= at_ms)) {
      sendUntil(until_ms);
      connection.abort(until_ms);
    }
    sendUntil(at_ms);
    const connection = connections.get(name) ?? new Connection(name ?? '', control(), path);
    connections.set(name, connection);
    // The simulated connection may still be busy with its previous response, although it was free in the lab.
    const before = last.get(name);
    let from_ms = at_ms;
    if (before && connection.next_ms < Infinity) {
      while (before.ends_ms === Infinity && connection.next_ms < Infinity)
        sendUntil(connection.next_ms + 1e-9);
      from_ms = Math.max(at_ms, before.ends_ms === Infinity ? at_ms : before.ends_ms);
    }
    const size = outcome === 'completed' ? decision.size_bytes : findSize(film, decision);
    const pace = applied_kbps === undefined ? requested_kbps : applied_kbps;
    const transfer = connection.send(size, pace, from_ms + REQUEST_MS + path.base_ms / 2);
    last.set(name, transfer);
    if (outcome === 'completed') started.push({ decision, transfer, from_ms });
    else aborts.push({ at_ms: at_ms + download_ms, connection });
  }
  sendUntil(Infinity);
  return started.map(({ decision, transfer, from_ms }) => {
    const { media_type, size_bytes, download_ms: lab_ms } = decision;
    const simulated_ms = transfer.ends_ms - from_ms;
    return { media_type, size_bytes, lab_ms, simulated_ms, error: Math.abs(simulated_ms / lab_ms - 1) };
  });
}

function findSize(
  { sidecar }: Film,
  { representation, segment_start_s, segment_duration_s, size_bytes }: CompletedDecision,
): number {
  const index = Math.round(segment_start_s / segment_duration_s);
  return sidecar.representations[representation]?.segment_bytes[index] ?? size_bytes;
}
