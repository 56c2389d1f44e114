import { setTimeout as sleep } from 'node:timers/promises';
import { removeStaleLinks } from '../../emulation/network/links/stale.ts';
import { openSwitchPath } from '../../emulation/network/links/switch-path.ts';
import { monotonic_ms } from '../../emulation/ground/clock/monotonic.ts';
import { startLabProgram, type LabProgram } from '../../emulation/ground/programs/program.ts';
import { closeTogether } from '../../system/close-together.ts';
import type { Measured } from '../measures/feed.ts';
import type { QueueRow } from '../measures/measures.ts';
import type { DemoLink } from './demo-link.ts';
import type { EdgeSpec, Listening, Watched } from './edge-process.ts';
import { MODEST_WINDOW, Neighbor } from './neighbor.ts';
import { QueueMeter } from './queue-meter.ts';
import type { Relay } from './relay.ts';

/** Maximum seconds to wait for the servers to start on a busy machine. */
const START_WITHIN_S = 60;
/** Maximum seconds to wait for an answer of the servers. */
const ANSWER_WITHIN_S = 20;
const ROW_EVERY_MS = 100;
const WATCH_EVERY_MS = 250;

export interface Bottleneck {
  readonly url: string;
  /** Rejects with a one-line Error when a part of the bottleneck has died. */
  readonly died: Promise<never>;
  close(): Promise<void>;
}

/**
 * Starts the demo's edge behind a bottleneck, on the same machine:
 *
 *     browser ── relay, at the demo's address ─┐                      ┌─ edge
 *                            neighbor's client  ┴─ switch, its queue ──┴─ neighbor's server
 *                       this network namespace                          one of its own
 *
 * The path into the other namespace is created before anything listens, because Chromium drops its connections when an
 * interface appears. `listen` starts the relay. The neighbor fetches while a page is polling the measurements.
 */
export const startBottleneck = (
  link: DemoLink,
  spec: EdgeSpec,
  listen: (to: { readonly port: number; readonly host: string }) => Promise<Relay>,
): Promise<Bottleneck> =>
  closeTogether(async (onClose) => {
    await removeStaleLinks();
    const meter = new QueueMeter();
    const behind = await openSwitchPath(link, {
      apart: 'outside',
      seed: 1,
      onPostcard: ({ enqueueDepth, queueTime }) => meter.left(enqueueDepth, queueTime / 1000),
    });
    onClose(() => behind.close());
    const { path } = behind;
    const servers = startLabProgram(
      ['ip', 'netns', 'exec', behind.namespace],
      new URL('edge-process.ts', import.meta.url),
      [JSON.stringify(spec)],
    );
    onClose(() => servers.stop());
    const { port, neighborPort } = await servers.expect<Listening>('listening', START_WITHIN_S);
    const relay = await listen({ host: path.outsideAddress, port });
    onClose(() => relay.close());

    const bdp_bytes = (link.rate.mbps * 1000 * link.rtt_ms) / 8;
    const neighbor = new Neighbor(
      `http://${path.outsideAddress}:${neighborPort}/3MB`,
      Math.round(MODEST_WINDOW * bdp_bytes),
    );
    onClose(() => neighbor.close());
    const over = new AbortController();
    const tell = (measured: Measured) => servers.send({ type: 'measured', ...measured });
    const measuring = Promise.all([
      watchQueue(async () => meter.take(monotonic_ms(), await behind.dropped()), tell, over.signal),
      fetchAgain(servers, neighbor, tell, over.signal),
    ]);
    onClose(() => over.abort());
    const died = Promise.race([path.device.died, measuring.then(() => new Promise<never>(() => undefined))]);
    died.catch(() => undefined);
    return { url: relay.url, died };
  });

async function watchQueue(
  row: () => Promise<QueueRow>,
  tell: (measured: Measured) => void,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    tell({ queue: await row() });
    await sleep(ROW_EVERY_MS);
  }
}

/** Fetches for the neighbor, again as soon as the last byte of a response has arrived. */
async function fetchAgain(
  servers: LabProgram,
  neighbor: Neighbor,
  tell: (measured: Measured) => void,
  over: AbortSignal,
): Promise<void> {
  try {
    while (true) {
      servers.send({ type: 'watched?' });
      const { appetite } = await servers.expect<Watched>('watched', ANSWER_WITHIN_S);
      if (over.aborted) return;
      if (appetite === null) {
        await sleep(WATCH_EVERY_MS);
        continue;
      }
      const exchange = await neighbor.fetch(appetite);
      if (exchange) tell({ response: { from_ms: exchange.issued_ms, to_ms: exchange.received_ms } });
    }
  } catch (error) {
    if (!over.aborted) throw error;
  }
}
