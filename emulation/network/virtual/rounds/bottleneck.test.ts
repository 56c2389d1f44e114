import { describe, expect, it } from 'vitest';
import { constantRate } from './rates.ts';
import { Bottleneck } from './bottleneck.ts';
import { congestionControlNamed } from './congestion/index.ts';
import { Connection } from './connection.ts';

/** A link that carries 1000 bytes per ms. */
const link = () => constantRate(8);
const ONE = {};
const OTHER = {};

describe('Bottleneck', () => {
  it('sends batches one after the other, and drops bytes that find the queue full', () => {
    const bottleneck = new Bottleneck(link(), 20_000);
    expect(bottleneck.pass({ bytes: 10_000, from_ms: 0, to_ms: 0 }, ONE)).toEqual({
      begins_ms: 0,
      ends_ms: 10,
      dropped_bytes: 0,
      droppedEarlier_bytes: 0,
    });
    // At 5 ms, half of the first batch is still waiting, so 15 of 25 kB fit into the queue.
    expect(bottleneck.pass({ bytes: 25_000, from_ms: 5, to_ms: 5 }, ONE)).toEqual({
      begins_ms: 10,
      ends_ms: 25,
      dropped_bytes: 10_000,
      droppedEarlier_bytes: 0,
    });
    expect(bottleneck.pass({ bytes: 5_000, from_ms: 30, to_ms: 30 }, ONE)).toEqual({
      begins_ms: 30,
      ends_ms: 35,
      dropped_bytes: 0,
      droppedEarlier_bytes: 0,
    });
  });

  it('has no queue if data arrive slower than the link', () => {
    const bottleneck = new Bottleneck(link(), 20_000);
    expect(bottleneck.pass({ bytes: 10_000, from_ms: 0, to_ms: 100 }, ONE)).toEqual({
      begins_ms: 0,
      ends_ms: 100,
      dropped_bytes: 0,
      droppedEarlier_bytes: 0,
    });
    expect(bottleneck.queued(50)).toBe(0);
    expect(bottleneck.pass({ bytes: 1_000, from_ms: 50, to_ms: 50 }, ONE)).toMatchObject({
      begins_ms: 50,
      ends_ms: 51,
    });
  });

  it('stops carrying canceled data', () => {
    const bottleneck = new Bottleneck(link(), 100_000);
    const batch = { bytes: 40_000, from_ms: 0, to_ms: 20 };
    bottleneck.pass(batch, ONE);
    // At 5 ms, 10 kB have arrived, of which 5 kB have been sent.
    bottleneck.withdraw(ONE, 5);
    expect(bottleneck.queued(5)).toBeCloseTo(5000, 6);
    expect(bottleneck.pass({ bytes: 1000, from_ms: 6, to_ms: 6 }, ONE)).toMatchObject({
      begins_ms: 10,
      ends_ms: 11,
    });
  });

  it("sends another sender's packets between those that a sender spreads over time", () => {
    const bottleneck = new Bottleneck(link(), 100_000);
    // The batch arrives twice as fast as the link sends it: at 10 ms, 20 kB have arrived, and 10 kB are waiting.
    bottleneck.pass({ bytes: 40_000, from_ms: 0, to_ms: 20 }, ONE);
    expect(bottleneck.pass({ bytes: 5_000, from_ms: 10, to_ms: 10 }, OTHER)).toMatchObject({
      begins_ms: 20,
      ends_ms: 25,
      dropped_bytes: 0,
      droppedEarlier_bytes: 0,
    });
    // All 45 kB will have been sent at 45 ms.
    expect(bottleneck.queued(25)).toBeCloseTo(20_000, 6);
  });
});

describe('Bottleneck with a paced sender', () => {
  it('does not delay a burst by bytes that have not arrived yet', () => {
    const bottleneck = new Bottleneck(link(), 20_000);
    bottleneck.pass({ bytes: 8000, from_ms: 0, to_ms: 4 }, ONE);
    // This batch arrives at 0.4 of the link's rate. At 2 ms, 4 kB of the first batch have arrived, and 2 kB are
    // waiting.
    expect(bottleneck.pass({ bytes: 20_000, from_ms: 2, to_ms: 52 }, ONE)).toMatchObject({ begins_ms: 4 });
    // At 6 ms, 8 kB of the first and 1.6 kB of the second batch have arrived, and 6 kB have been sent.
    expect(bottleneck.queued(6)).toBeCloseTo(3600, 6);
    expect(bottleneck.pass({ bytes: 16_000, from_ms: 6, to_ms: 6 }, OTHER)).toMatchObject({
      begins_ms: 9.6,
      ends_ms: 25.6,
      dropped_bytes: 0,
      droppedEarlier_bytes: 0,
    });
  });

  it('distributes losses in proportion to what senders send while the queue overflows', () => {
    const bottleneck = new Bottleneck(link(), 5000);
    bottleneck.pass({ bytes: 20_000, from_ms: 0, to_ms: 50 }, ONE);
    // From 10 to 20 ms, 20 kB of this batch and 4 kB of the first sender's arrive, and 10 kB are sent. The queue holds
    // 5 kB, so 9 of 24 kB are dropped.
    const passage = bottleneck.pass({ bytes: 20_000, from_ms: 10, to_ms: 20 }, OTHER);
    expect(passage.dropped_bytes).toBeCloseTo(9000 * (20 / 24), 6);
    expect(passage.ends_ms).toBeCloseTo(25, 6);
    // The first sender's data continue to arrive at 0.4 of the link's rate.
    expect(bottleneck.queued(25)).toBeCloseTo(2000, 6);
    // The first sender has lost 1.5 kB, which is reported with its next batch.
    const { dropped_bytes, droppedEarlier_bytes } = bottleneck.pass(
      { bytes: 8000, from_ms: 50, to_ms: 70 },
      ONE,
    );
    expect(dropped_bytes).toBe(0);
    expect(droppedEarlier_bytes).toBeCloseTo(1500, 6);
    expect(bottleneck.pass({ bytes: 8000, from_ms: 70, to_ms: 90 }, ONE).droppedEarlier_bytes).toBe(0);
  });
});

describe('Connection', () => {
  it.each(['reno', 'cubic', 'bbr'])(
    '%s: keeps a link busy with a queue of one BDP, and loses no byte of the response',
    (name) => {
      let [sent, lost, dropped] = [0, 0, 0];
      const bottleneck = new Bottleneck(constantRate(12.032), 60_160);
      const connection = new Connection('one', congestionControlNamed(name)(), {
        bottleneck,
        base_ms: 40,
        loss: 0,
        random: () => 0,
        observe: ({ packets, lost_packets, dropped_bytes }) => {
          sent += packets;
          lost += lost_packets;
          dropped += dropped_bytes / 1504;
        },
      });
      const size = 20_000 * 1448;
      const transfer = connection.send(size, null, 0);
      while (connection.next_ms < Infinity) connection.sendBatch();
      // All data either arrived or were dropped.
      expect(sent - lost).toBeCloseTo(20_000, 0);
      expect(lost).toBeCloseTo(dropped, 6);
      // At a packet per ms, 20,000 packets take at least 20 s.
      expect(transfer.ends_ms / 20_000).toBeGreaterThan(1);
      expect(transfer.ends_ms / 20_000).toBeLessThan(1.1);
    },
  );

  it('returns to the initial window after an idle time', () => {
    const connection = new Connection('one', congestionControlNamed('reno')(), {
      bottleneck: new Bottleneck(constantRate(120.32), 1e9),
      base_ms: 20,
      loss: 0,
      random: () => 0,
    });
    const windowAfter = (from_ms: number) => {
      connection.send(1448, null, from_ms);
      connection.sendBatch();
      return connection.control.window;
    };
    connection.send(1448 * 630, null, 0);
    while (connection.next_ms < Infinity) connection.sendBatch();
    const grown = connection.control.window;
    expect(grown).toBeGreaterThan(300);
    expect(windowAfter(200)).toBe(grown);
    // A timeout is 200 ms plus the round trip.
    expect(windowAfter(200 + 300)).toBe(grown / 2);
    expect(windowAfter(60_000)).toBe(10);
  });
});
