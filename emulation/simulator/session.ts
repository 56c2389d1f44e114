import { seededRandom } from '../statistics/random.ts';
import { Bottleneck } from './network/bottleneck.ts';
import { congestionControlNamed } from './network/congestion/index.ts';
import type { Batch } from './network/connection.ts';
import { ConnectionPool } from './network/pool.ts';
import { Player, START_MS } from './player/player.ts';
import { SimulatedWire } from './player/simulated-wire.ts';
import type { SimulatedResult, SimulatedSession } from './simulated-session.ts';

/** Page, manifest and index before the first segment. */
const START_ROUND_TRIPS = 2;
const START_BYTES = 7000;
/** So many events at one time are a mistake of the simulator. */
const MOST_EVENTS = 10_000;
/** The day on which all simulated sessions are played, ms since 1970. */
const TODAY_MS = 1_700_000_000_000;

/** Plays one session from beginning to end. Throws an Error for what it cannot simulate. */
export function simulateSession(session: SimulatedSession): SimulatedResult {
  const { network, seed = 1, observe, forks } = session;
  const { capacity, rtt_ms, congestionControl = 'reno' } = network;
  const pool = new ConnectionPool(
    {
      bottleneck: new Bottleneck(capacity, network.queue_bytes),
      base_ms: rtt_ms,
      loss: network.loss ?? 0,
      random: seededRandom(seed),
      observe: observe && ((batch: Batch) => observe(batch, player.phaseOf(wire.fetchOn(batch.connection)))),
    },
    congestionControlNamed(congestionControl),
  );
  const wire = new SimulatedWire({
    ...{ pool, congestionControl, rtt_ms },
    goodputOfPace: network.goodputOfPace ?? 1,
    ...(forks && { forks: seededRandom(seed) }),
  });
  const player = new Player(session, wire, TODAY_MS);
  player.hear(wire.firstReceipt);
  player.request();
  player.begin(START_MS + START_ROUND_TRIPS * rtt_ms + capacity.carried(0, START_BYTES));
  playToEnd(player, pool, session.seconds * 1000);
  return player.end();
}

/** One event after the other, of the player and of the senders. */
function playToEnd(player: Player, pool: ConnectionPool, end_ms: number): void {
  let [last_ms, events] = [-1, 0];
  while (true) {
    const sender = pool.next;
    const { next_ms } = player;
    const event_ms = Math.min(next_ms, sender?.next_ms ?? Infinity);
    if (event_ms >= end_ms) return;
    if (event_ms > last_ms) [last_ms, events] = [event_ms, 0];
    // So that every session ends, also where virtual time stands still by mistake.
    else if (++events > MOST_EVENTS)
      throw new Error(`the simulation stands still at ${(last_ms / 1000).toFixed(3)} s`);
    if (sender && sender.next_ms <= next_ms) sender.sendBatch();
    else player.happen(next_ms);
  }
}
