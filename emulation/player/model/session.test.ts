import { describe, expect, it } from 'vitest';
import { InitialThroughputHistory } from '../../../src/learning/history.ts';
import type { TextStorage } from '../../../src/learning/text-storage.ts';
import type { PacePolicy } from '../../../src/pace/pace.ts';
import { bigBuckBunny } from '../../../media/films/big-buck-bunny.ts';
import { createLadder } from '../../../src/testing/session.ts';
import { kbps, milliseconds } from '../../../src/units.ts';
import { readTcpState } from '../../../src/wire/tcp-state.ts';
import type { Film } from './player/film.ts';
import { filmFor } from './player/film-for.ts';
import { constantRate, scheduledRate } from '../../network/virtual/rounds/rates.ts';
import { simulateSession } from './session.ts';
import { makeMemoryStorage } from '../records/memory-storage.ts';
import { TODAY_MS, type SimulatedSession } from './simulated-session.ts';

/** A link that carries one packet of 1504 bytes, with 1448 bytes of content, per millisecond. */
const PACKET_A_MS = constantRate(12.032);
const PACKET = 1448;

const makeFilm = (sizes: Readonly<Record<string, readonly number[]>>): Film => {
  const [first = []] = Object.values(sizes);
  return {
    sidecar: {
      version: 1,
      segment_duration_s: first.map(() => 2),
      representations: Object.fromEntries(
        Object.entries(sizes).map(([id, segment_bytes]) => [id, { segment_bytes }]),
      ),
    },
    ladders: { video: createLadder(Object.keys(sizes).map(Number)) },
  };
};

const playSession = (packets: readonly number[], session: Partial<SimulatedSession> = {}) =>
  simulateSession({
    arm: { sammy: { pacing: false } },
    film: makeFilm({ '1000': packets.map((count) => count * PACKET) }),
    network: { capacity: PACKET_A_MS, rtt_ms: 20, queue_bytes: 1_000_000 },
    seconds: 10,
    ...session,
  });

const HOUR_MS = 3_600_000;

describe('a viewer who returns', () => {
  const film = makeFilm({ '1000': Array<number>(5).fill(250_000) });
  const playAt = (begins_ms: number | undefined, storage: TextStorage) =>
    playSession([], { film, storage, begins_ms });

  it('has a history of its own, which is trusted less the older it is', () => {
    const storage = makeMemoryStorage();
    new InitialThroughputHistory(storage).add(kbps(16_000), milliseconds(TODAY_MS), '');
    // The trust is complete for an hour, and halves in the next day: 16 times the default of 1000 kbit/s is then
    // trusted by half, which gives the square root of 16.
    const [first] = playAt(TODAY_MS + 25 * HOUR_MS, storage).decisions;
    expect(first?.estimate_kbps).toBeCloseTo(4000, 0);
  });

  it('uses what the first visit measured, and forgets it after two weeks', () => {
    const storage = makeMemoryStorage();
    const first = playAt(undefined, storage);
    expect(first.decisions[0]?.estimate_kbps).toBeNull();
    const [measured_kbps] = first.history;
    const soon = playAt(TODAY_MS + HOUR_MS / 2, storage);
    expect(soon.decisions[0]?.estimate_kbps).toBe(measured_kbps);
    expect(soon.history).toHaveLength(2);
    const late = playAt(TODAY_MS + 15 * 24 * HOUR_MS, storage);
    expect(late.decisions[0]?.estimate_kbps).toBeNull();
    expect(late.history).toHaveLength(1);
  });

  it.each([5, 20])(
    'starts HYB no worse at %d Mbit/s than without a history if the history is a week old',
    (mbps) => {
      const initialSsim_db = (storage: TextStorage) => {
        const { summary } = simulateSession({
          ...{ arm: { sammy: { abr: 'hyb' } }, film: filmFor(bigBuckBunny, 24), seconds: 24 },
          ...{ storage, begins_ms: TODAY_MS + 7 * 24 * HOUR_MS },
          network: { capacity: constantRate(mbps), rtt_ms: 40, queue_bytes: 150_000 },
        });
        return summary.initial_ssim_db ?? NaN;
      };
      const storage = makeMemoryStorage();
      new InitialThroughputHistory(storage).add(kbps(900 * mbps), milliseconds(TODAY_MS), '');
      expect(initialSsim_db(storage)).toBeGreaterThan(initialSsim_db(makeMemoryStorage()) - 0.05);
    },
  );

  it('shares nothing with other sessions without a storage', () => {
    const play = () => playSession([], { film }).history;
    expect(play()).toHaveLength(1);
    expect(play()).toHaveLength(1);
  });
});

describe('simulateSession', () => {
  it("reports the connection's state from the previous response, even of an initialization segment", () => {
    const film = makeFilm({ '300': Array<number>(5).fill(75_000), '3300': Array<number>(5).fill(825_000) });
    const { decisions } = playSession([], { film });
    const [first, second] = decisions;
    // 16 packets take a round trip of 20 ms and 16 x 1 ms: 16 x 1448 x 8 bits in 36 ms are 5148.444 kbit/s.
    const beforeFirst = 'in_flight_packets=0,delivery_kbps=5148.444,app_limited=1';
    expect(first?.tcp_state).toBe(beforeFirst);
    expect(first?.etp_kbps).toBeUndefined();
    // The previous response was the initialization segment, on an idle link.
    expect(first?.last_receipt).toMatchObject({
      rtt_ms: 20,
      min_rtt_ms: 20,
      tcp_state: beforeFirst,
    });
    expect(second && readTcpState(second)).toMatchObject({ state: { in_flight_packets: 0 }, refused: [] });
    expect(second && readTcpState(second).state.delivery_bytes_per_s).toBeGreaterThan(0);
    // A switch fetches an initialization segment, whose request follows after the previous segment has been sent
    // completely.
    const after = decisions.findIndex(
      (each, at) => each.representation !== decisions[at - 1]?.representation && at > 0,
    );
    const before = decisions[after - 1];
    expect(after).toBeGreaterThan(0);
    expect(decisions[after]?.last_receipt?.sent_bytes).toBeGreaterThanOrEqual(
      (before?.sent_bytes ?? Infinity) + (before?.size_bytes ?? Infinity),
    );
  });

  it('takes a round trip and the transmission time, and more round trips in slow start', () => {
    const network = { capacity: PACKET_A_MS, rtt_ms: 40, queue_bytes: 1_000_000 };
    const { decisions } = playSession([10, 5, 60], { network });
    // 3 ms for browser and server, 40 ms for the round trip, and 10 ms for 10 packets. The connection's congestion window
    // is 26 packets, so slow start adds nothing.
    expect(decisions.map(({ download_ms }) => Math.round(download_ms))).toEqual([53, 48, expect.any(Number)]);
    // The first 26 packets leave in one window. Their first ACK arrives after 41 ms; until then nothing more is sent.
    // Then the other 34 packets follow.
    expect(decisions[2]?.download_ms).toBeCloseTo(3 + 40 + 41 + 34, 0);
  });

  it('sends no faster than the pace', () => {
    const pace: PacePolicy = { name: 'slow', choosePace: () => ({ pace: kbps(1000), reason: 'slow' }) };
    // 1000 kbit/s are 125 bytes of content per ms. The request takes 3 ms and a round trip of 20 ms.
    const { decisions } = playSession([100], { arm: { sammy: { pace } } });
    expect(decisions[0]).toMatchObject({ requested_kbps: 1000, applied_kbps: 1000 });
    expect(decisions[0]?.download_ms).toBeCloseTo((100 * PACKET) / 125 + 23, -1);
  });

  it('stalls if a segment is late, and resumes when it arrives', () => {
    const network = { rtt_ms: 20, queue_bytes: 1_000_000 };
    const capacity = scheduledRate([
      { seconds: 0.3, mbps: 12.032 },
      { seconds: 30, mbps: 0.12032 },
    ]);
    const { summary, decisions } = playSession([100, 60], { network: { ...network, capacity }, seconds: 9 });
    const [first, second] = decisions.map(({ at_ms, download_ms }) => at_ms + download_ms);
    // After the first segment has arrived, 2 s can be played.
    const stalled_s = ((second ?? 0) - (first ?? 0)) / 1000 - 2;
    expect(stalled_s).toBeGreaterThan(1);
    expect(summary.rebuffer_count).toBe(2);
    expect(summary.rebuffer_ratio * (summary.played_s / (1 - summary.rebuffer_ratio))).toBeCloseTo(
      stalled_s + (9 - (second ?? 0) / 1000 - 2),
      1,
    );
  });

  it('waits while the buffer is full', () => {
    const { decisions, buffer } = playSession(Array<number>(60).fill(10), { seconds: 20 });
    // 14 segments of 2 s are requested immediately. Each later one is requested when it fits into the buffer of 30 s,
    // or up to half a second later.
    const late = decisions.filter(({ at_ms }) => at_ms > 1000);
    expect(late.length).toBeGreaterThanOrEqual(8);
    for (const { buffer_s } of late) {
      expect(buffer_s).toBeLessThan(28);
      expect(buffer_s).toBeGreaterThan(27.4);
    }
    expect(Math.max(...buffer.map(([, buffer_s]) => buffer_s))).toBeLessThan(30);
  });

  it('continues at the position of a seek, without a rebuffer', () => {
    const { decisions, summary } = playSession(Array<number>(60).fill(10), {
      seconds: 20,
      seeks: [{ at_s: 5, to_s: 80.5 }],
    });
    const first = decisions.find(({ at_ms }) => at_ms >= 5000);
    expect(first?.segment_start_s).toBe(80);
    expect(first?.buffer_s).toBe(0);
    expect(summary.rebuffer_count).toBe(0);
    expect(summary.played_s).toBeGreaterThan(19);
  });

  it('abandons a download that would outlast the buffer, and closes its connection', () => {
    const high = Array<number>(20).fill(1_000_000);
    const low = Array<number>(20).fill(50_000);
    const capacity = scheduledRate([
      { seconds: 2.2, mbps: 20 },
      { seconds: 30, mbps: 0.5 },
    ]);
    const { decisions } = simulateSession({
      arm: { sammy: { pacing: false } },
      film: makeFilm({ '200': low, '4000': high }),
      network: { capacity, rtt_ms: 40, queue_bytes: 100_000 },
      seconds: 30,
    });
    const given = decisions.findIndex(({ outcome }) => outcome === 'abandoned');
    expect(given).toBeGreaterThan(0);
    expect(decisions[given]?.size_bytes).toBeLessThan(1_000_000);
    expect(decisions[given + 1]).toMatchObject({
      representation: '200',
      segment_start_s: decisions[given]?.segment_start_s,
    });
    expect(decisions[given + 1]?.connection).not.toBe(decisions[given]?.connection);
  });

  it('is identical when repeated', () => {
    const network = { capacity: PACKET_A_MS, rtt_ms: 20, queue_bytes: 30_000, loss: 0.01 };
    const again = () => JSON.stringify(playSession(Array<number>(60).fill(100), { network, seed: 7 }));
    expect(again()).toBe(again());
    const other = JSON.stringify(playSession(Array<number>(60).fill(100), { network, seed: 8 }));
    expect(other).not.toBe(again());
  });

  it('replaces segments from the playing one on, and fetches the initialization segment first', () => {
    // The network carries 12 Mbit/s. The rules begin with 700 kbit/s, and choose 3000 kbit/s as soon as they have a
    // throughput sample.
    const segmentSizes = (kbps: number) => Array<number>(30).fill(kbps * 250);
    const { decisions } = simulateSession({
      arm: { sammy: { abr: 'player', pacing: false } },
      film: makeFilm({ '700': segmentSizes(700), '3000': segmentSizes(3000) }),
      network: { capacity: PACKET_A_MS, rtt_ms: 40, queue_bytes: 1_000_000 },
      seconds: 10,
    });
    const [first, second] = decisions;
    expect([first?.segment_start_s, second?.segment_start_s]).toEqual([0, 0]);
    expect([first?.representation, second?.representation]).toEqual(['700', '3000']);
    // 10 ms of processing, 3 ms and a round trip of 40 ms for the request of the initialization segment, 1 ms for its
    // packet, and 17 ms of processing after a switch.
    const gap_ms = (second?.at_ms ?? 0) - (first?.at_ms ?? 0) - (first?.download_ms ?? 0);
    expect(gap_ms).toBeCloseTo(10 + 3 + 40 + 1 + 17, 0);
  });

  it('replaces nothing if the application disables fast switch in dash.js', () => {
    const segmentSizes = (kbps: number) => Array<number>(30).fill(kbps * 250);
    const film = makeFilm({ '700': segmentSizes(700), '3000': segmentSizes(3000) });
    const startsWith = (fastSwitchEnabled: boolean) =>
      playSession([], {
        film,
        arm: { sammy: { pacing: false }, settings: { streaming: { buffer: { fastSwitchEnabled } } } },
      }).decisions.map(({ segment_start_s }) => segment_start_s);
    // The network carries four times the top rung, so fast switch fetches the first segment again in better quality.
    expect(startsWith(true).slice(0, 3)).toEqual([0, 0, 2]);
    expect(startsWith(false).slice(0, 3)).toEqual([0, 2, 4]);
  });

  it('revalidates segments that the browser has cached', () => {
    const { decisions } = playSession(Array<number>(40).fill(500), {
      seconds: 40,
      seeks: [{ at_s: 20, to_s: 0 }],
    });
    const again = decisions.filter(({ at_ms, from_cache }) => at_ms > 20_000 && from_cache);
    expect(again.length).toBeGreaterThan(5);
    // Revalidating 500 cached packets takes only a round trip and one packet.
    for (const { download_ms, size_bytes } of again) {
      expect(download_ms).toBeLessThan(30);
      expect(size_bytes).toBe(500 * PACKET);
    }
  });

  it('ends for every link, loss rate and queue', () => {
    let seed = 5;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    for (let round = 0; round < 60; round++) {
      const steps = Array.from({ length: 5 }, () => ({ seconds: 0.1 + 5 * random(), mbps: 8 * random() }));
      const { summary } = playSession(Array<number>(60).fill(10 + Math.round(500 * random())), {
        arm: round % 2 ? { sammy: { abr: 'player', pacing: false } } : { sammy: {} },
        network: {
          capacity: scheduledRate([...steps, { seconds: 3, mbps: 0 }]),
          rtt_ms: 200 * random(),
          queue_bytes: 1500 + 200_000 * random(),
          loss: random() < 0.5 ? 0 : 0.1 * random(),
          congestionControl: ['reno', 'cubic', 'bbr'][round % 3],
        },
        seconds: 60,
        seed: round + 1,
      });
      expect(summary.played_s).toBeLessThanOrEqual(60);
    }
  });
});
