import { describe, expect, it } from 'vitest';
import { Bottleneck } from '../network/bottleneck.ts';
import { congestionControlNamed } from '../network/congestion/index.ts';
import { Connection } from '../network/connection.ts';
import { constantRate } from '../rates.ts';
import { Recorder } from './recorder.ts';

describe('Recorder', () => {
  it('says what is in the queue at the end of each row', () => {
    const recorder = new Recorder();
    // A packet of 1504 bytes each 10 ms.
    const connection = new Connection('one', congestionControlNamed('reno')(), {
      bottleneck: new Bottleneck(constantRate(1.2032), 1e6),
      base_ms: 1000,
      loss: 0,
      random: () => 0,
      observe: (batch) => {
        recorder.observe(batch, 'playing');
      },
    });
    // The initial window comes at once at 0 and takes 100 ms; 20 more, with the ACKs, take 200 ms from 1010 ms on.
    connection.send(30 * 1448, null, 0);
    while (connection.next_ms < Infinity) connection.sendBatch();
    const rows = recorder.rows(2);
    const departed = rows.reduce((sum, { departed_bytes }) => sum + departed_bytes, 0);
    expect(departed).toBeCloseTo(30 * 1504, -1);
    expect(Math.max(...rows.map(({ queue_bytes }) => queue_bytes))).toBeGreaterThan(0);
    expect(rows.at(-1)?.queue_bytes).toBe(0);
  });
});
