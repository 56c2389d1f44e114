import { describe, expect, it } from 'vitest';
import { Bottleneck } from '../../network/virtual/rounds/bottleneck.ts';
import { congestionControlNamed } from '../../network/virtual/rounds/congestion/index.ts';
import { Connection } from '../../network/virtual/rounds/connection.ts';
import { constantRate, scheduledRate } from '../../network/virtual/rounds/rates.ts';
import { Recorder } from './recorder.ts';

describe('Recorder', () => {
  it('records the queue at the end of each row', () => {
    const recorder = new Recorder(2);
    // A link that carries a packet of 1504 bytes per 10 ms.
    const connection = new Connection('one', congestionControlNamed('reno')(), {
      bottleneck: new Bottleneck(constantRate(1.2032), 1e6),
      base_ms: 1000,
      loss: 0,
      random: () => 0,
      observe: (batch) => {
        recorder.observe(batch, 'playing');
      },
    });
    // The 10 packets of the initial window are sent at 0 ms, and take 100 ms. The first ACK arrives at 1010 ms; from then
    // on, the other 20 packets take 200 ms.
    connection.send(30 * 1448, null, 0);
    while (connection.next_ms < Infinity) connection.sendBatch();
    const rows = recorder.rows;
    const departed = rows.reduce((sum, { departed_bytes }) => sum + departed_bytes, 0);
    expect(departed).toBeCloseTo(30 * 1504, -1);
    expect(Math.max(...rows.map(({ queue_bytes }) => queue_bytes))).toBeGreaterThan(0);
    expect(rows.at(-1)?.queue_bytes).toBe(0);
  });

  it('adds no rows for a link that stalls long after the end', () => {
    const recorder = new Recorder(10);
    const link = scheduledRate([
      { seconds: 5, mbps: 1 },
      { seconds: 1e4, mbps: 1e-9 },
    ]);
    const connection = new Connection('one', congestionControlNamed('reno')(), {
      bottleneck: new Bottleneck(link, 1e6),
      base_ms: 50,
      loss: 0,
      random: () => 0,
      observe: (batch) => {
        recorder.observe(batch, 'playing');
      },
    });
    connection.send(1e6, null, 4000);
    while (connection.next_ms < 10_000) connection.sendBatch();
    expect(recorder.rows.length).toBeLessThanOrEqual(100);
  });
});
