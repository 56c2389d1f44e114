import { describe, expect, it } from 'vitest';
import { constantRate } from './rates.ts';
import { Bottleneck } from './bottleneck.ts';
import { congestionControlNamed } from './congestion/index.ts';
import { CONTENT_BYTES, Connection } from './connection.ts';

/** A connection over a link that carries a packet per ms, with a round trip of 20 ms. */
const connectionOver = (mbps = 12.032) =>
  new Connection('one', congestionControlNamed('reno')(), {
    bottleneck: new Bottleneck(constantRate(mbps), 1e9),
    base_ms: 20,
    loss: 0,
    random: () => 0,
  });

/** Sends this many packets. The pace is in packets/ms. */
function respond(connection: Connection, packets: number, from_ms: number, pace: number | null = null): void {
  connection.send(packets * CONTENT_BYTES, pace === null ? null : pace * CONTENT_BYTES * 8, from_ms);
  while (connection.next_ms < Infinity) connection.sendBatch();
}

describe('the delivery rate, as Linux samples it', () => {
  it('of a first flight is a lower bound: its packets over the round trip and their transmission time', () => {
    const connection = connectionOver();
    expect(connection.delivery).toMatchObject({ packetsPerMs: 0, appLimited: true });
    // The last ACK of ten packets arrives after a round trip of 20 ms plus 10 ms of transmission.
    respond(connection, 10, 0);
    expect(connection.delivery.packetsPerMs).toBeCloseTo(1 / 3, 9);
    expect(connection.delivery.appLimited).toBe(true);
  });

  it('keeps a higher rate if less is sent later, and replaces a lower bound', () => {
    const connection = connectionOver();
    respond(connection, 10, 0);
    respond(connection, 5, 100);
    expect(connection.delivery.packetsPerMs).toBeCloseTo(1 / 3, 9);
    // The windows are 20, 40, 80 and more packets. The last ones fill the link, even the final window, which is not
    // complete.
    respond(connection, 200, 200);
    expect(connection.delivery.packetsPerMs).toBeCloseTo(1, 9);
    expect(connection.delivery.appLimited).toBe(false);
    respond(connection, 5, 600);
    expect(connection.delivery.packetsPerMs).toBeCloseTo(1, 9);
    expect(connection.delivery.appLimited).toBe(false);
  });

  it('equals the pace if a pace spreads the packets', () => {
    const connection = connectionOver();
    respond(connection, 200, 0);
    respond(connection, 60, 400, 0.25);
    expect(connection.delivery.packetsPerMs).toBeCloseTo(0.25, 9);
    expect(connection.delivery.appLimited).toBe(false);
  });

  it('estimates a slow link from earlier data, as a lower bound', () => {
    // A packet takes 10 ms, so 16 packets take 160 ms, plus the round trip.
    const connection = connectionOver(1.2032);
    connection.warm(16);
    expect(connection.delivery.packetsPerMs).toBeCloseTo(16 / 180, 9);
    expect(connection.delivery.appLimited).toBe(true);
  });
});
