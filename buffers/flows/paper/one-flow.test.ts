import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { PATH_PORTS } from '../../../p4/switch/live/path.ts';
import { writeManifest } from '../../../emulation/harness/runs/manifest.ts';
import type { MeasuredTraffic } from '../../traffic/measure-traffic.ts';
import { trafficResult } from '../../traffic/traffic-result.ts';
import { flowPort } from '../../traffic/traffic.ts';
import { makeCell, cellTraffic } from './cell.ts';
import { keepSeries } from './run-files.ts';
import { planPaper } from './settings.ts';
import { writePaperReport } from './write-report.ts';

const outDir = mkdtempSync(join(tmpdir(), 'buffer-paper-'));
afterAll(() => rmSync(outDir, { recursive: true }));

const about = { name: 'buffer-paper', about: '', figure: '' };
const { settings, units } = planPaper(about, { figures: [2, 3], rate: '40', rtt: 50, quick: true });
/** The transmission time of a 1514-byte frame at 40 Mbit/s. */
const EACH_S = (1514 * 8) / 40e6;
const FULL = 1448;
const ORIGIN_S = 100;
const LOST_AT_S = 5;
const IDLE_S = 0.2;

/**
 * Measurements of a flow that keeps the link busy, except for 0.2 s after a loss of ten packets. Each packet finds four
 * packets in the queue.
 */
function measured(): MeasuredTraffic {
  const departs_s = Array.from({ length: Math.floor((8.2 - IDLE_S) / EACH_S) }, (_, index) => {
    const at_s = ORIGIN_S + index * EACH_S;
    return at_s < ORIGIN_S + LOST_AT_S ? at_s : at_s + IDLE_S;
  });
  const firstAfter = departs_s.findIndex((at_s) => at_s >= ORIGIN_S + LOST_AT_S);
  const endpoint = { sourcePort: flowPort(0), destinationPort: 40_000 };
  return {
    origin_s: ORIGIN_S,
    postcards: departs_s.map((at_s, index) => ({
      ...{ switchId: 1, number: index, ingressPort: 1, egressPort: 2, t_s: at_s - 0.001, queueTime: 1000 },
      flow: {
        ...{ etherType: 0x0800, source: '10.0.0.1', destination: '10.0.0.2', protocol: 6, ...endpoint },
      },
      tcp: {
        sequence: FULL * (index < firstAfter ? index : index + 10),
        ...{ acknowledgement: 1, flags: 16 },
      },
      ...{ payloadLength: FULL, packetLength: 1514, enqueueDepth: 4, dequeueDepth: 3 },
      ...{ dropped: false, marked: false },
    })),
    acks: {
      // The second ACK, at 5.1 s with a window of 4, is from BBR's probe for the minimum RTT, while the link is idle.
      events: [10, 4].map((cwnd_packets, index) => ({
        ...{ flow: '10.0.0.2:40000', server_port: flowPort(0), t_ms: (ORIGIN_S + 3 + 2.1 * index) * 1000 },
        ...{ snd_nxt: FULL, snd_una: 0, cwnd_packets, ssthresh_packets: Infinity, srtt_ms: 51 + 2 * index },
      })),
      ...{ lost: 0, fromEpoch_ms: Number },
    },
    ...{ before: [], after: [] },
    collector: { lost: 0, received: departs_s.length },
    device: {
      counts: {},
      ports: [{ port: PATH_PORTS.inside, dropped: 10, dequeued: departs_s.length }],
      ...{ lateness: { p50: 1, p99: 20, max: 30 }, cpu_s: 1, seconds: 10 },
    },
    machine: { others_pct: 3, steal_pct: null },
  } as unknown as MeasuredTraffic;
}

it('writes the queue, utilization and losses of one flow to files, and a report', () => {
  const traffic = cellTraffic(makeCell('bbr', 1, 1), settings, { from_s: 2, seconds: 8, seed: 1 });
  expect(traffic).toMatchObject({
    ...{ rate_bit_s: 40e6, rtt_ms: [50], queue: { packets: 165, at: 'tail' } },
    flows: [{ congestion_control: 'bbr', start_s: 0, bytes: null, paced: false, ecn: false }],
  });
  const evaluated = trafficResult(traffic, measured());
  const { utilization, depths, conservation, flows } = evaluated.result;
  // From 2 s on there are 15 windows of 8 × 50 ms = 0.4 s. One is half idle, and the 1st percentile is the minimum.
  expect(utilization.p1_8rtt).toBeCloseTo(0.5, 2);
  expect(utilization.p1_1rtt).toBeCloseTo(0, 2);
  expect(utilization.p1_8rtt_no_probe_rtt).toBeCloseTo(1, 6);
  expect(depths.slice(0, 4)).toEqual([0, 0, 0, 0]);
  expect(conservation.dropped).toBe(10);
  expect(flows[0]?.srtt_p50_ms).toBe(51);

  const folder = join(outDir, 'runs', 'bbr-n1-b165', '1');
  mkdirSync(folder, { recursive: true });
  keepSeries(folder, { ...evaluated, started_at: '2026-03-02T00:00:00.000Z' });
  writeManifest(outDir, {
    ...{ command: 'npm run lab -- run buffer-paper', commit: 'abc', versions: {}, kernel: '6', seed: 1 },
    ...{ units, started: '2026-03-02T00:00:00.000Z', ended: null, experiment: settings, removed: [] },
    ...{ place: { backend: 'light', link: 'p4', clock: 'real' }, plan: [] },
  });
  writePaperReport(outDir);
  const page = readFileSync(join(outDir, 'report.html'), 'utf8');
  expect(page).toContain('Unfinished: the figures below contain only the finished runs.');
  expect(page).toContain('40 Mbit/s of Ethernet frames, base RTT 50 ms, BDP 165.1 packets of 1514 bytes');
  expect(page).toContain('Figure 2. Queue over time, one flow');
  expect(page).toContain('Figure 3. Utilization of one flow against the buffer');
  expect(page).toContain('<th scope="row">bbr-n1-b165, 1</th>');
  expect(page).toMatch(/bbr 165 packets p1 of 8 RTTs without RTT probes<\/td>\s*<td>1<\/td>/);
});
