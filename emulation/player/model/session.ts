import { seededRandom } from '../../ground/statistics/random.ts';
import { Bottleneck } from '../../network/virtual/rounds/bottleneck.ts';
import { congestionControlNamed } from '../../network/virtual/rounds/congestion/index.ts';
import type { Batch } from '../../network/virtual/rounds/connection.ts';
import { ConnectionPool } from '../../network/virtual/rounds/pool.ts';
import { simulatedNeighbor } from './neighbors/index.ts';
import type { SimulatedNeighbor } from './neighbors/neighbor.ts';
import { Player, START_BYTES, START_MS, START_ROUND_TRIPS } from './player/player.ts';
import { SimulatedWire } from './player/simulated-wire.ts';
import { findFlights } from '../records/measurements.ts';
import { TODAY_MS, type SimulatedResult, type SimulatedSession } from './simulated-session.ts';

/** The limit of events at the same time; more events indicate a bug of the simulator. */
const MOST_EVENTS = 10_000;

/** Simulates one complete session. Throws an Error for unsupported settings. */
export function simulateSession(session: SimulatedSession): SimulatedResult {
  const { network, seed = 1, observe, forks, neighbor: beside, seconds, begins_ms = TODAY_MS } = session;
  if (forks && beside !== undefined)
    throw new Error(
      'a session with a neighbor cannot be forked, because the neighbor would behave differently',
    );
  const { capacity, rtt_ms } = network;
  const congestionControl = network.congestionControl ?? 'reno';
  const control = congestionControlNamed(congestionControl);
  const link = {
    bottleneck: new Bottleneck(capacity, network.queue_bytes),
    base_ms: rtt_ms,
    loss: network.loss ?? 0,
    random: seededRandom(seed),
  };
  const pool = new ConnectionPool(
    {
      ...link,
      observe: observe && ((batch: Batch) => observe(batch, player.getPhase(wire.fetchOn(batch.connection)))),
    },
    control,
  );
  const wire = new SimulatedWire({
    ...{ pool, congestionControl, rtt_ms },
    goodputOfPace: network.goodputOfPace ?? 1,
    ...(forks && { forks: seededRandom(seed) }),
  });
  const player = new Player(session, wire, begins_ms);
  const neighbor =
    beside === undefined
      ? undefined
      : simulatedNeighbor(beside)(
          { ...link, observe: session.observeNeighbor },
          { film: session.film, rtt_ms, control },
        );
  player.recordReceipt(wire.firstReceipt);
  player.request();
  player.begin(START_MS + START_ROUND_TRIPS * rtt_ms + capacity.timeToCarry(0, START_BYTES));
  playToEnd(player, pool, neighbor, seconds * 1000);
  const played = player.end();
  return {
    ...played,
    ...(neighbor && { neighbor: neighbor.result({ seconds, flights: findFlights(played.decisions) }) }),
  };
}

/** Processes the events of the player, the senders and the neighbor in order of time. */
function playToEnd(
  player: Player,
  pool: ConnectionPool,
  neighbor: SimulatedNeighbor | undefined,
  end_ms: number,
): void {
  let [last_ms, events] = [-1, 0];
  while (true) {
    const sender = pool.next;
    const { next_ms } = player;
    const neighbor_ms = neighbor?.next_ms ?? Infinity;
    const sender_ms = sender?.next_ms ?? Infinity;
    const event_ms = Math.min(next_ms, sender_ms, neighbor_ms);
    if (event_ms >= end_ms) return;
    if (event_ms > last_ms) [last_ms, events] = [event_ms, 0];
    // A safeguard, so that every session ends even if a bug stops virtual time.
    else if (++events > MOST_EVENTS)
      throw new Error(`the simulation is stuck at ${(last_ms / 1000).toFixed(3)} s`);
    if (neighbor && neighbor_ms < sender_ms && neighbor_ms <= next_ms) neighbor.send();
    else if (sender && sender_ms <= next_ms) sender.sendBatch();
    else {
      const { playingAt_ms: before } = player;
      player.runNextEvent(next_ms);
      const { playingAt_ms } = player;
      if (before === null && playingAt_ms !== null) neighbor?.playbackStarted(playingAt_ms);
    }
  }
}
