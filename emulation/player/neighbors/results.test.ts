import { describe, expect, it } from 'vitest';
import { httpResult } from './http/http-result.ts';
import { tcpResult } from './tcp/tcp-result.ts';
import { INTERVAL_MS } from './udp/udp-packet.ts';
import { udpResult } from './udp/udp-result.ts';
import { videoResult } from './video/video-result.ts';

/** Playback was requested at 1000 ms on the monotonic clock. */
const time = (at_ms: number) => (at_ms - 1000) / 1000;

describe('the UDP neighbor', () => {
  it('sends 5 Mbit/s with headers', () => {
    expect((1228 * 8) / INTERVAL_MS).toBe(5000);
  });

  it('reports the delays in the session, and while a chunk was in flight', () => {
    const packet = (sequence: number, received_ms: number, owd_ms: number) => ({
      sequence,
      sent_ms: received_ms - owd_ms,
      received_ms,
    });
    // The packets are due at 999, 1000.96, 1002.93, 1004.89 and 1006.86 ms. The first one is due before the request for
    // playback, and the fourth one is lost.
    const arrivals = [packet(0, 999.5, 50), packet(1, 1005, 4), packet(2, 1110, 10), packet(4, 1250, 100)];
    const { metrics, csv } = udpResult(arrivals, { begun_ms: 999, count: 5 }, time, {
      seconds: 0.2,
      flights: [{ from_s: 0.05, to_s: 0.15 }],
    });
    expect(metrics).toEqual({ udp_owd_ms: 7, udp_owd_inflight_ms: 10, udp_owd_p95_ms: 10 });
    expect(csv).toEqual([
      ['t_s', 'received', 'lost', 'owd_least_ms', 'owd_mean_ms', 'owd_most_ms', 'in_flight_s'],
      [0, 1, 1, 4, 4, 4, 0.05],
      [0.1, 1, 0, 10, 10, 10, 0.05],
    ]);
  });

  it('measures nothing if nothing arrives', () => {
    const { metrics, csv } = udpResult([], { begun_ms: 1000, count: 2 }, time, { seconds: 0.1, flights: [] });
    expect(metrics).toEqual({ udp_owd_ms: null, udp_owd_inflight_ms: null, udp_owd_p95_ms: null });
    expect(csv[1]).toEqual([0, 0, 2, '', '', '', 0]);
  });
});

describe('the TCP neighbor', () => {
  it('reports its throughput after slow start, and while a chunk was in flight', () => {
    // The flow starts at 0 s. After 1 s of slow start, it receives 12,500 bytes per 50 ms (2 Mbit/s) for 0.1 s, and
    // then 25,000 bytes (4 Mbit/s) for 0.1 s.
    const slowStart = Array.from({ length: 20 }, () => 1_000_000);
    const { metrics } = tcpResult(
      { begun_ms: 1000, received: [...slowStart, 12_500, 12_500, 25_000, 25_000, 9_000_000] },
      time,
      {
        seconds: 1.2,
        // Merged, the flights last from 0.5 to 1.025 s, of which 25 ms at 2 Mbit/s count, and from 1.125 to 1.175 s,
        // which is 50 ms at 4 Mbit/s.
        flights: [
          { from_s: 0.5, to_s: 1.025 },
          { from_s: 0.5, to_s: 1 },
          { from_s: 1.125, to_s: 1.175 },
        ],
      },
    );
    expect(metrics.tcp_throughput_mbps).toBeCloseTo(3, 9);
    expect(metrics.tcp_throughput_inflight_mbps).toBeCloseTo((25 * 2 + 50 * 4) / 75, 9);
  });

  it('includes times without bytes', () => {
    const { metrics } = tcpResult(
      { begun_ms: 1000, received: Array.from({ length: 21 }, () => 12_500) },
      time,
      { seconds: 2, flights: [] },
    );
    expect(metrics.tcp_throughput_mbps).toBeCloseTo(0.1, 9);
    expect(metrics.tcp_throughput_inflight_mbps).toBeNull();
  });

  it('measures nothing in a session that ends before it starts', () => {
    const none = { tcp_throughput_mbps: null, tcp_throughput_inflight_mbps: null };
    const session = { seconds: 5, flights: [{ from_s: 0, to_s: 5 }] };
    expect(tcpResult({ begun_ms: null, received: [] }, time, session).metrics).toEqual(none);
    expect(tcpResult({ begun_ms: 5500, received: [1] }, time, session).metrics).toEqual(none);
  });
});

describe('the HTTP neighbor', () => {
  it('reports response times, and those of responses nine tenths in flight', () => {
    const { metrics, csv } = httpResult(
      [
        { issued_ms: 1000, received_ms: 2000 },
        { issued_ms: 2000, received_ms: 4000 },
        { issued_ms: 4000, received_ms: 9000 },
      ],
      time,
      { seconds: 3.5, flights: [{ from_s: 0.0625, to_s: 2 }] },
    );
    expect(metrics).toEqual({ http_response_ms: 1500, http_response_inflight_ms: 1000 });
    expect(csv).toEqual([
      ['t_s', 'response_ms', 'in_flight_share'],
      [0, 1000, 0.938],
      [1, 2000, 0.5],
    ]);
  });
});

describe('the video neighbor', () => {
  const starts = [
    { requested_ms: 1500, play_delay_ms: 300 },
    { requested_ms: 2500, play_delay_ms: 200 },
  ];

  it('reports the mean of all starts, and of those in flight', () => {
    const { metrics, csv } = videoResult(starts, {
      requestedAt_ms: 1000,
      flights: [{ from_s: 1, to_s: 2 }],
    });
    expect(metrics).toEqual({ neighbor_play_delay_ms: 250, neighbor_play_delay_inflight_ms: 200 });
    expect(csv.slice(1)).toEqual([
      [0.5, 300, 0],
      [1.5, 200, 1],
    ]);
  });

  it('has no in-flight value if nothing was in flight', () => {
    const { metrics } = videoResult(starts, { requestedAt_ms: 1000, flights: [] });
    expect(metrics).toEqual({ neighbor_play_delay_ms: 250, neighbor_play_delay_inflight_ms: null });
  });
});
