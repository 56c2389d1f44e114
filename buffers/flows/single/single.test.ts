import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PATH_PORTS } from '../../../p4/switch/live/path.ts';
import { writeManifest } from '../../../emulation/harness/runs/manifest.ts';
import type { MeasuredTraffic } from '../../traffic/measure-traffic.ts';
import { trafficOf } from '../paper/cell.ts';
import { LINK, singleCells } from './cells.ts';
import { keepSingle, readResults } from './run-files.ts';
import { ownSettings, planFlows } from './settings.ts';
import { writeBufferReport } from './write-report.ts';

const outDir = mkdtempSync(join(tmpdir(), 'buffer-single-'));
afterAll(() => rmSync(outDir, { recursive: true }));

const NAME = 'reno@1bdp';
/** Of a frame of 1514 bytes at 40 Mbit/s. */
const EACH_S = (1514 * 8) / 40e6;
const FULL = 1448;
const LOST_AT_S = 5;
const IDLE_S = 0.2;
const traffic = (() => {
  const cell = singleCells.get(NAME);
  if (!cell) throw new Error(NAME);
  return trafficOf(cell, LINK, { from_s: 2, seconds: 8, seed: 1 });
})();

/** A flow that keeps the link busy but for 0.2 s behind a loss of ten packets, with four packets before each of its own. */
function measured(): MeasuredTraffic {
  const departs_s = Array.from({ length: Math.floor((8.2 - IDLE_S) / EACH_S) }, (_, index) => {
    const at_s = 100 + index * EACH_S;
    return at_s < 100 + LOST_AT_S ? at_s : at_s + IDLE_S;
  });
  const firstAfter = departs_s.findIndex((at_s) => at_s >= 100 + LOST_AT_S);
  return {
    origin_s: 99.9,
    postcards: departs_s.map((at_s, index) => ({
      ...{
        switchId: 1,
        number: 2 * index,
        ingressPort: 1,
        egressPort: 2,
        t_s: at_s - 0.001,
        queueTime: 1000,
      },
      flow: {
        ...{ etherType: 0x0800, source: '10.0.0.1', destination: '10.0.0.2', protocol: 6 },
        ...{ sourcePort: 5001, destinationPort: 40_000 },
      },
      tcp: {
        sequence: FULL * (index < firstAfter ? index : index + 10),
        ...{ acknowledgement: 1, flags: 16 },
      },
      ...{ payloadLength: FULL, packetLength: 1514, enqueueDepth: 4, dequeueDepth: 3 },
      ...{ dropped: false, marked: false },
    })),
    acks: {
      events: [51, 53].map((srtt_ms, index) => ({
        ...{ flow: '10.0.0.2:40000', server_port: 5001, t_ms: 101_000 + index, snd_nxt: FULL, snd_una: 0 },
        ...{ cwnd_packets: 10 + index, ssthresh_packets: Infinity, srtt_ms },
      })),
      ...{ lost: 0, toEpoch_ms: Number, fromEpoch_ms: Number },
    },
    ...{ before: [], after: [] },
    collector: { lost: 0 },
    device: { ports: [{ port: PATH_PORTS.inside, dropped: 10 }], lateness: { p50: 1, p99: 20, max: 30 } },
    machine: { others_pct: 3, steal_pct: null },
  } as unknown as MeasuredTraffic;
}

describe('a single flow', () => {
  it('is a cell of the traffic of the buffer paper: one flow, its buffer, half a round trip each way', () => {
    expect(traffic).toMatchObject({
      ...{ rate_bit_s: 40e6, rtt_ms: [50], queue: { packets: 165, at: 'tail' } },
      flows: [{ congestion_control: 'reno', start_s: 0, bytes: null, paced: false, ecn: false }],
    });
  });

  it('has its queue, utilization and loss in files, and a report of them', async () => {
    const folder = join(outDir, 'runs', NAME, '1');
    mkdirSync(folder, { recursive: true });
    const run = { cell: NAME, k: 1, congestion_control: 'reno', buffer_bdp: 1 } as const;
    await keepSingle(folder, traffic, run, { measured: measured() });
    const [result] = readResults(outDir);
    expect(result).toMatchObject({
      ...{ cell: NAME, buffer_packets: 165, theory: 1, queue_p50_packets: 4, drops_whole_run: 10 },
      ...{
        least_srtt_ms: 51,
        utilization_p1_rtt: 0,
        postcards_lost: 0,
        machine_load: expect.any(Number) as number,
      },
    });
    // 15 windows of 0.4 s from 2 s on, of which one is half idle; the first percentile is the least.
    expect(result?.utilization_p1).toBeCloseTo(0.5, 2);
    expect(result?.loss_events_s).toHaveLength(1);
    expect(result?.loss_events_s[0]).toBeCloseTo(LOST_AT_S + IDLE_S, 2);
    const [head, , second] = readFileSync(join(folder, 'queue.csv'), 'utf8').split('\n');
    expect(head).toBe('t_s,depth_packets,depth_bytes');
    // A millisecond's packets: four of 0.3028 ms have not left yet, but the first.
    expect(second).toBe('0.000303,4,1514');

    const { settings, units } = planFlows(ownSettings({ name: 'buffer-single', about: '', figure: '' }), {});
    writeManifest(outDir, {
      ...{ command: 'npm run lab -- run buffer-single', commit: 'abc', versions: {}, kernel: '6', seed: 1 },
      ...{ units, started: '2026-03-02T00:00:00.000Z', ended: null, experiment: settings, removed: [] },
    });
    writeBufferReport(outDir);
    const page = readFileSync(join(outDir, 'report.html'), 'utf8');
    expect(page).toContain('Unfinished: every figure below is of 1 flows.');
    expect(page).toContain('40 Mbit/s of Ethernet frames, base RTT 50 ms, BDP 165.1 packets of 1514 bytes');
    expect(page).toContain('Figure 1. Window and queue around a loss');
    expect(page).toContain('<td>reno@1bdp, 1</td>');
  });
});
