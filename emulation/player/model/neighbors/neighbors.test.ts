import { describe, expect, it } from 'vitest';
import { OBSERVER } from '../../arms/arm.ts';
import { Bottleneck } from '../../../network/virtual/rounds/bottleneck.ts';
import { congestionControlNamed } from '../../../network/virtual/rounds/congestion/index.ts';
import { Recorder } from '../../virtual-time/recorder.ts';
import { constantRate } from '../../../network/virtual/rounds/rates.ts';
import { simulateSession } from '../session.ts';
import { vbrFilm } from '../testing/vbr-film.ts';
import { simulatedNeighbor } from './index.ts';

const MBPS = 40;
const BASE_MS = 6;
const QUEUE_BYTES = 100_000;

/** Plays a neighbor alone on a link for `seconds`. */
function alone(name: string, seconds: number, control = 'reno') {
  const recorder = new Recorder(seconds);
  const capacity = constantRate(MBPS);
  const path = {
    ...{ bottleneck: new Bottleneck(capacity, QUEUE_BYTES), base_ms: BASE_MS, loss: 0, random: () => 0 },
    observe: recorder.recordPackets,
  };
  const neighbor = simulatedNeighbor(name)(path, {
    film: vbrFilm(300),
    rtt_ms: BASE_MS,
    control: congestionControlNamed(control),
  });
  neighbor.playbackStarted(0);
  while (neighbor.next_ms < seconds * 1000) neighbor.send();
  const { metrics } = neighbor.result({ seconds, flights: [] });
  return { metrics, recorder, totals: recorder.totals(capacity, seconds) };
}

describe('a simulated neighbor', () => {
  it('that fetches 3 MB uses the whole link when alone', () => {
    const { metrics, totals } = alone('http', 30);
    // The time for 3 MB in packets that carry 1448 bytes of content and take 1504 bytes on the link. The link is idle
    // only briefly between two responses.
    const least_ms = ((3_000_000 / 1448) * 1504 * 8) / (MBPS * 1000);
    expect(metrics.http_response_ms).toBeGreaterThan(least_ms);
    expect(metrics.http_response_ms).toBeLessThan(least_ms + 6 * BASE_MS);
    expect(totals.dropped_packets).toBeGreaterThan(0);
    expect(totals.arrived_packets).toBeCloseTo(totals.departed_packets + totals.dropped_packets, -1);
  });

  it('that is a bulk flow uses the whole link when alone', () => {
    const { metrics, totals } = alone('tcp', 40);
    // A packet of 1504 bytes carries 1448 bytes of content.
    const most_mbps = (MBPS * 1448) / 1504;
    expect(metrics.tcp_throughput_mbps).toBeCloseTo(most_mbps, 1);
    expect(totals.dropped_packets).toBeGreaterThan(0);
  });

  it('that is a video starts every ten seconds, as fast as a session alone', () => {
    const { metrics, totals } = alone('video', 60);
    const { playingAt_ms } = simulateSession({
      arm: { sammy: OBSERVER },
      film: vbrFilm(300),
      network: { capacity: constantRate(MBPS), rtt_ms: BASE_MS, queue_bytes: QUEUE_BYTES },
      seconds: 10,
    });
    expect(metrics.neighbor_play_delay_ms).toBeCloseTo(playingAt_ms ?? NaN, -1);
    // There are six starts, at 5, 15, ... 55 s. Each fetches at least 4 s of the lowest rung, more than 100 kB.
    expect(totals.departed_bytes).toBeGreaterThan(6 * 100_000);
  });

  it('that sends 5 Mbit/s has no queueing delay when alone', () => {
    const { metrics, totals } = alone('udp', 10);
    // Half of a round trip, plus the transmission of 1228 bytes at 40 Mbit/s.
    expect(metrics.udp_owd_ms).toBeCloseTo(BASE_MS / 2 + (1228 * 8) / 40_000, 6);
    expect(metrics.udp_owd_p95_ms).toBeCloseTo(BASE_MS / 2 + (1228 * 8) / 40_000, 6);
    expect((totals.departed_bytes * 8) / 10 / 1e6).toBeCloseTo(5, 1);
    expect(totals.dropped_packets).toBe(0);
  });

  const beside = (neighbor: string, more: object = {}) =>
    simulateSession({
      arm: { sammy: OBSERVER },
      film: vbrFilm(300),
      network: { capacity: constantRate(MBPS), rtt_ms: BASE_MS, queue_bytes: QUEUE_BYTES },
      ...{ seconds: 20, buffer_s: 240, neighbor },
      ...more,
    });

  it.each(['http', 'udp', 'video'])('and the session slow each other down: %s', (name) => {
    const with_ = beside(name);
    const metric =
      { http: 'http_response_ms', udp: 'udp_owd_ms', video: 'neighbor_play_delay_ms' }[name] ?? '';
    expect(with_.neighbor?.metrics[metric]).toBeGreaterThan(alone(name, 20).metrics[metric] ?? 0);
    const { chunk_throughput_kbps } = with_.summary;
    const { summary, neighbor } = simulateSession({
      arm: { sammy: OBSERVER },
      film: vbrFilm(300),
      network: { capacity: constantRate(MBPS), rtt_ms: BASE_MS, queue_bytes: QUEUE_BYTES },
      ...{ seconds: 20, buffer_s: 240 },
    });
    expect(neighbor).toBeUndefined();
    expect(chunk_throughput_kbps).toBeLessThan(summary.chunk_throughput_kbps ?? 0);
  });

  it('begins with playback, if it downloads', () => {
    const { neighbor, playingAt_ms } = beside('http');
    const [header, first] = neighbor?.csv ?? [];
    expect(header).toEqual(['t_s', 'response_ms', 'in_flight_share']);
    expect(first?.[0]).toBeCloseTo((playingAt_ms ?? NaN) / 1000, 3);
  });

  it.each(['http', 'tcp'])('uses Reno, whatever congestion control the session uses: %s', (name) => {
    expect(alone(name, 30, 'bbr').metrics).toEqual(alone(name, 30).metrics);
  });

  it('is refused if it is not simulated, or if the network is forked', () => {
    expect(() => beside('quic')).toThrow("no neighbor 'quic' is simulated; there are http, tcp, udp, video");
    expect(() => beside('http', { forks: true })).toThrow('cannot be forked');
  });
});
