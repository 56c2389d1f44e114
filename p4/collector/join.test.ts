import { describe, expect, test } from 'vitest';
import { joinWithTcpProbe } from './join.ts';
import type { TcpProbe } from './join.ts';

const flow = {
  etherType: 0x0800,
  source: '10.0.0.1',
  destination: '10.0.0.2',
  protocol: 6,
  sourcePort: 443,
  destinationPort: 5000,
};
const tcp = (sequence: number) => ({ sequence, acknowledgement: 1, flags: 16 });
let number = 0;
const card = (t_s: number, sequence: number, depth: number, more: object = {}) => ({
  switchId: 1,
  number: number++,
  t_s,
  flow,
  tcp: tcp(sequence),
  payloadLength: 100,
  enqueueDepth: depth,
  dequeueDepth: depth,
  queueTime: 10,
  dropped: false,
  marked: false,
  ...more,
});
const probe = (t_s: number, snd_nxt: number, snd_una: number, snd_cwnd: number): TcpProbe => ({
  t_s,
  sport: 443,
  dport: 5000,
  snd_nxt,
  snd_una,
  snd_cwnd,
  ssthresh: 7,
  srtt_us: 1000 + snd_cwnd,
});

/*
 * Two packets are sent at 0 s. The ACK of the first one arrives at 1 s and increases the window to 3, so two more
 * packets are sent. The ACK of the second packet arrives at 2 s; the third record shows it.
 */
const PROBES = [probe(1, 200, 0, 2), probe(2, 400, 100, 3), probe(3, 500, 200, 4)];
const cards = () => [card(0.1, 0, 0), card(0.1, 100, 1), card(1.1, 200, 0), card(1.1, 300, 1)];

describe('joined packets', () => {
  test("have the sender's window just after sending, and the time of the acknowledgment", () => {
    const rows = joinWithTcpProbe(cards(), PROBES);
    expect(rows.map(({ seq, window }) => [seq, window?.snd_cwnd, window?.in_flight_bytes])).toEqual([
      [0, 2, 100],
      [100, 2, 200],
      // The record at 2 s shows that the first 100 bytes were acknowledged by then.
      [200, 3, 200],
      [300, 3, 300],
    ]);
    expect(rows.map(({ acked_s }) => acked_s)).toEqual([1, 2, undefined, undefined]);
    expect(rows.every(({ fate, retransmission }) => fate === 'forwarded' && !retransmission)).toBe(true);
  });

  test('do not depend on where the sequence numbers wrap', () => {
    const shift = (value: number) => (value + 2 ** 32 - 150) >>> 0;
    const shifted = PROBES.map((each) => ({
      ...each,
      snd_nxt: shift(each.snd_nxt),
      snd_una: shift(each.snd_una),
    }));
    const moved = cards().map((each) => ({ ...each, tcp: tcp(shift(each.tcp.sequence)) }));
    const strip = (rows: ReturnType<typeof joinWithTcpProbe>) => rows.map((row) => ({ ...row, seq: 0 }));
    expect(strip(joinWithTcpProbe(moved, shifted))).toEqual(strip(joinWithTcpProbe(cards(), PROBES)));
  });

  test('have no window beyond the end of the trace; flows outside the trace are skipped', () => {
    const [row] = joinWithTcpProbe([card(9, 600, 0)], PROBES);
    expect(row).toMatchObject({ window: undefined, acked_s: undefined });
    expect(joinWithTcpProbe([card(0, 0, 0, { flow: { ...flow, sourcePort: 80 } })], PROBES)).toEqual([]);
    expect(joinWithTcpProbe([card(0, 0, 0, { tcp: undefined })], PROBES)).toEqual([]);
    expect(joinWithTcpProbe([card(0, 0, 0, { payloadLength: 0 })], PROBES)).toEqual([]);
  });
});

describe('losses', () => {
  test('at the tail are inferred from missing bytes', () => {
    const rows = joinWithTcpProbe([card(0.1, 0, 5), card(0.3, 200, 6)], PROBES);
    expect(
      rows.map(({ t_s, seq, payload, fate, enq_depth }) => ({ t_s, seq, payload, fate, enq_depth })),
    ).toEqual([
      { t_s: 0.1, seq: 0, payload: 100, fate: 'forwarded', enq_depth: 5 },
      { t_s: 0.3, seq: 100, payload: 100, fate: 'queue_full', enq_depth: 6 },
      { t_s: 0.3, seq: 200, payload: 100, fate: 'forwarded', enq_depth: 6 },
    ]);
    expect(rows[1]).toMatchObject({ queue_us: undefined, acked_s: undefined, window: { snd_cwnd: 2 } });
  });

  test('of postcards are not taken for lost packets', () => {
    const first = card(0.1, 0, 5);
    number++;
    const rows = joinWithTcpProbe([first, card(0.3, 200, 6)], PROBES);
    expect(rows.map(({ fate }) => fate)).toEqual(['forwarded', 'forwarded']);
  });

  test('above the threshold are marked as such and have no acknowledgment', () => {
    const [row] = joinWithTcpProbe([card(0.1, 0, 5, { dropped: true })], PROBES);
    expect(row).toMatchObject({ fate: 'dropped_above_threshold', acked_s: undefined });
  });

  test('retransmissions get the window at their time, because sequence numbers do not identify them', () => {
    const again = card(2.5, 100, 0);
    const rows = joinWithTcpProbe([card(0.1, 0, 0), card(0.1, 200, 1), again], PROBES);
    expect(rows.at(-1)).toMatchObject({
      seq: 100,
      retransmission: true,
      acked_s: 2,
      window: { snd_cwnd: 4 },
    });
    // When this packet was sent, 300 bytes had been sent and 200 acknowledged.
    expect(rows.at(-1)?.window?.in_flight_bytes).toBe(100);
  });
});

test('sorts rows by time, independent of the order of the records', () => {
  const rows = joinWithTcpProbe(cards(), PROBES.toReversed());
  expect(rows).toEqual(joinWithTcpProbe(cards(), PROBES));
  expect(rows.map(({ t_s }) => t_s)).toEqual([0.1, 0.1, 1.1, 1.1]);
});
