import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asJson } from '../../../system/replace-files.ts';
import { BUFFER_LOG, fillLog } from '../../../emulation/studies/paper/fill-log.ts';
import type { CellRun } from '../figures/figure.ts';
import type { TrafficResult } from '../../traffic/traffic-result.ts';
import { bufferPackets, cellName, makeCell, type Cell } from './cell.ts';
import { bufferExhibits } from './exhibits.ts';
import { writeSeries } from './run-files.ts';
import { planPaper } from './settings.ts';
import { makeTargets } from './targets.ts';

const { settings } = planPaper({ name: 'buffer-paper', about: 'a', figure: 'b' }, { quick: true });

const result = (of: Partial<TrafficResult> = {}): TrafficResult => ({
  ...{ bdp_packets: 165, seconds: 13, from_s: 3, found_queue: 1, depths: [1, 2, 3], windows_at_loss: [] },
  utilization: { mean: 1, p1_1rtt: 1, p1_8rtt: 1, p1_10rtt: 1 },
  loss_events: { rtt_ms: 40, flows: [1] },
  loss_events_base_rtt: { rtt_ms: 20, flows: [1] },
  fairness: { least: 0.5, most: 2 },
  flows: [],
  conservation: {
    ...{ frames_unaccounted: 0, postcards: 1, postcards_missing: 0, tcp_records_lost: 0, dropped: 0 },
  },
  ...{ lateness_p99_us: 1, lateness_max_us: 1, switch_cpu_share: 0, others_pct: 0, steal_pct: 0 },
  ...of,
});

const run = (cell: Cell, of: Partial<TrafficResult>): CellRun => ({
  ...{ cell, name: cellName(cell, settings), k: 1, buffer_packets: bufferPackets(cell, settings) },
  result: result(of),
  packets: () => [],
  windows: () => [],
});

const utilization = (mean: number, p1_8rtt = mean) => ({ mean, p1_1rtt: 0, p1_8rtt, p1_10rtt: 0 });
const met = (runs: readonly CellRun[]) =>
  makeTargets(runs, settings).map(({ measured, met: isMet }) => ({ measured, met: isMet }));

describe('the targets', () => {
  it('for one flow: 99% with one BDP, and for half a BDP the mean of 96.5% from the theory', () => {
    expect(met([run(makeCell('reno', 1, 1), { utilization: utilization(1, 0.989) })])).toEqual([
      { measured: '98.9%', met: false },
    ]);
    const half = (mean: number) => run(makeCell('reno', 1, 0.5), { utilization: utilization(mean) });
    expect(makeTargets([half(0.92)], settings)).toEqual([
      {
        what: 'one Reno flow, 0.5 BDP (83 packets): mean',
        target: "within 5 points of the theory's 96.5%",
        measured: '92.0%',
        met: true,
      },
    ]);
    expect(met([half(0.91)])[0]?.met).toBe(false);
  });

  it('for many flows: the slope of the buffer with which 99% of packets find a queue', () => {
    // With one flow, 98% of packets find a queue if the buffer is 41 packets, and 100% if it is 165, so 99% with
    // √(41 × 165) = 82. Each step to four times as many flows halves the buffers.
    const of = (flows: number, buffer_bdp: number, found_queue: number) =>
      run(makeCell('reno', flows, buffer_bdp), { found_queue, loss_events: { rtt_ms: 40, flows: [] } });
    const pairs = [1, 4, 16, 64].flatMap((flows, step) => [
      of(flows, 0.25 / 2 ** step, 0.98),
      of(flows, 1 / 2 ** step, 1),
    ]);
    const [slope] = met(pairs).filter(({ measured }) => measured.includes('packets)'));
    expect(slope?.measured).toMatch(/^-0\.5\d? \(82, 4\d, 2\d, 10 packets\)$/);
    expect(slope?.met).toBe(true);
    expect(met(pairs.slice(2)).some(({ measured }) => measured.includes('packets)'))).toBe(false);
  });

  it('for marks and drops: more flows react to marks', () => {
    const of = (at: Cell['at'], flows: readonly number[]) =>
      run(makeCell('reno', 16, 1, { at }), { loss_events: { rtt_ms: 40, flows } });
    expect(met([of('drop', [4, 8]), of('mark', [10, 3])])).toEqual([
      { measured: '6.5 with ECN, 6.0 with drop', met: true },
    ]);
    expect(met([of('drop', [4, 8]), of('mark', [6])])[0]?.met).toBe(false);
  });

  it('for synchronization and fairness: the median is below the bound, and Δ falls', () => {
    const flows = (median: number) =>
      run(makeCell('reno', 4, 1), { loss_events: { rtt_ms: 40, flows: [1, median, 4] } });
    // With n = 4 flows and Δ = 2, the bound n²/(Δ·BDP) + √n is 16/(2 × 165.1) + 2 = 2.05.
    expect(met([flows(2)])).toEqual([{ measured: 'n = 4: 2 of 2.0', met: true }]);
    expect(met([flows(3)])[0]?.met).toBe(false);
    const fair = (buffer: number, least: number) =>
      run(makeCell('reno', 16, buffer), {
        fairness: { least, most: 4 },
        loss_events: { rtt_ms: 1, flows: [] },
      });
    expect(met([fair(0.25, 0.25), fair(0.5, 0.5)])).toEqual([
      { measured: '4.0 with 41, 2.0 with 83 packets', met: true },
    ]);
  });
});

describe('the log', () => {
  it('shows the pictures of one command, and its folder contains no others', () => {
    const read = (file: string) => readFileSync(file, 'utf8');
    const shownIn = (text: string) =>
      [...text.matchAll(/flows\/pictures\/([\w-]+\.svg)\)/g)].flatMap(([, name]) => name ?? []);
    const own = BUFFER_LOG.pages.map(read).join('\n');
    const ofSwitch = read(fileURLToPath(new URL('../../../docs/p4/index.md', import.meta.url)));
    expect(readdirSync(BUFFER_LOG.figures).sort()).toEqual(['manifest.json', ...shownIn(own)].sort());
    expect(shownIn(own)).toEqual(expect.arrayContaining(shownIn(ofSwitch)));
    const { commit } = JSON.parse(read(join(BUFFER_LOG.figures, 'manifest.json'))) as { commit: string };
    expect(own).toContain(`commit ${commit}`);
  });
});

describe('a page of the log', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'buffer-readme-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('gets the targets and the pictures of the existing figures, without paths of this machine', async () => {
    const outDir = join(root, 'secret');
    const cell = makeCell('reno', 16, 1);
    const folder = join(outDir, 'runs', cellName(cell, settings), '1');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'result.json'), JSON.stringify(result()));
    writeSeries(folder, { packets: [], acks: [] });
    writeFileSync(
      join(outDir, 'manifest.json'),
      asJson({
        ...{ command: `npm run lab -- run buffer-paper --quick --out ${outDir}`, commit: '0123abc' },
        ...{ versions: {}, kernel: '6', seed: 1, units: '', started: '', ended: '', removed: [] },
        ...{ place: { backend: 'light', link: 'p4', clock: 'real' }, plan: [] },
        experiment: settings,
      }),
    );
    mkdirSync(join(outDir, 'figures'));
    const exhibits = bufferExhibits(outDir);
    for (const picture of exhibits.flatMap(({ pictures }) => pictures))
      writeFileSync(join(outDir, 'figures', picture), '<svg/>');
    const page = join(root, 'log.md');
    const markers = ['targets', 'figure-4', 'figure-10'].map(
      (name) => `<!-- table:buffer-${name} -->\n<!-- /table:buffer-${name} -->\n`,
    );
    writeFileSync(page, markers.join('\n'));
    const figures = join(root, 'pictures');
    await fillLog({ pages: [page], figures }, exhibits, outDir);
    const text = readFileSync(page, 'utf8');
    expect(text).toContain(
      '`npm run lab -- run buffer-paper --quick`, commit 0123abc, Linux 6: the quick form',
    );
    expect(text).toMatch(/\| Figure 10: .* \| n = 16: 1 of 4\.8 +\| yes/);
    expect(text).toContain('![Figure 10. Flows that see a loss');
    expect(text).not.toContain(root);
    const shown = [...text.matchAll(/\(pictures\/([\w-]+\.svg)\)/g)].map(([, name]) => name);
    expect(shown).toContain('figure-4-1.svg');
    expect(readdirSync(figures)).toEqual(expect.arrayContaining(['manifest.json', ...shown]));
    expect(readFileSync(join(figures, 'manifest.json'), 'utf8')).not.toContain(root);
  });
});
