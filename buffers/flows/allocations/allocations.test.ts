import { describe, expect, it } from 'vitest';
import { cellName, allocationTraffic } from './cell.ts';
import { UNITS, comparisons, type Comparison } from './comparison.ts';
import { effectsOn, type AllocatedRun, type Allocation } from './estimands.ts';
import { plannedCells, planAllocations } from './settings.ts';
import { unitResult } from './unit-result.ts';

const about = { name: 'ab-lab', about: '', figure: '' };
const connections = comparisons[0];
const link = planAllocations(about, {}).settings;
const real = { backend: 'light', link: 'p4', clock: 'real' } as const;
const model = { backend: 'model', link: 'virtual', clock: 'virtual' } as const;
const time = { from_s: 5, seconds: 25, seed: 3 };

describe('the plan of ab-lab', () => {
  it("has the paper's 139 packets of BDP, and every allocation of every comparison", () => {
    const { settings, runs } = planAllocations(about, { runs: 1 });
    // 10 Gbit/s × 1 ms / (8 × 9000 bytes) = 138.9 packets.
    expect(Math.round(settings.bdp_packets)).toBe(139);
    expect(runs).toHaveLength(33);
    expect(new Set(runs.map(({ cell }) => cell)).size).toBe(33);
    expect(runs.map(({ cell }) => cell)).toEqual(
      expect.arrayContaining(['connections-0', 'pacing-10', 'congestion-control-7']),
    );
  });

  it('takes at most ten minutes in its quick form, which includes both ends and both minorities of one', () => {
    const { runs, settings, overhead_s } = planAllocations(about, { quick: true });
    expect(runs.length * (settings.seconds + overhead_s)).toBeLessThanOrEqual(10 * 60);
    expect(new Set(plannedCells(settings).map(({ treated }) => treated))).toEqual(new Set([0, 1, 5, 9, 10]));
  });

  it('plans only the requested comparisons, and resumes in the same form', () => {
    const { settings, runs } = planAllocations(about, { quick: true, conditions: ['pacing'] });
    expect(runs.map(({ cell }) => cell)).toEqual([
      ...['pacing-0', 'pacing-1', 'pacing-5', 'pacing-9', 'pacing-10'],
    ]);
    expect(planAllocations(about, { conditions: ['connections'] }, settings).settings).toEqual(settings);
  });

  it("drops at the front like the paper's switch, unless the tail is requested", () => {
    expect(planAllocations(about, {}).settings).toMatchObject({ drop_at: 'front', burst_packets: 1 });
    const { settings } = planAllocations(about, { 'drop-at': 'tail', burst: 7, buffer: '1.5' });
    expect(settings).toMatchObject({ drop_at: 'tail', burst_packets: 7, buffer_bdp: 1.5 });
    const { traffic } = allocationTraffic({ comparison: connections, treated: 1 }, settings, time);
    // The BDP is 40 Mbit/s × 42 ms / (8 × 1514 bytes) = 138.7 packets, and 1.5 × 138.7 = 208.
    expect(traffic.queue).toEqual({ packets: 208, at: 'tail' });
    expect(planAllocations(about, {}, settings).settings).toEqual(settings);
  });

  it("uses the paper's own link in virtual time: 139 packets of 9000 bytes, in bursts of 64 kB", () => {
    const { settings, runs } = planAllocations(about, { place: model, quick: true });
    expect(runs).toHaveLength(15);
    expect(settings).toMatchObject({ kernel: '5.5', rate_bit_s: 10e9, base_rtt_ms: 1, burst_packets: 7 });
    expect(Math.round(settings.bdp_packets)).toBe(139);
    expect(planAllocations(about, {}, settings).settings).toEqual(settings);
  });

  it.each<[Parameters<typeof planAllocations>[1], string | RegExp]>([
    [
      { conditions: ['bbr'] },
      /there is no condition 'bbr'; there are connections, pacing, congestion-control/,
    ],
    [{ rate: '40x30' }, "--rate is '40x30', expected Mbit/s above 0"],
    [{ rtt: 0 }, '--rtt is 0, expected ms from 1 on'],
    [{ buffer: '0' }, "--buffer is '0', expected bandwidth-delay products above 0, up to 20"],
    [{ buffer: '-2' }, "--buffer is '-2'"],
    [{ burst: 44 }, /^--burst is 44, expected 1 to 43 packets$/],
    // 65,536 / 9000 bytes = 7.3 packets.
    [{ burst: 8, place: model }, '--burst is 8, expected 1 to 7 packets with --backend model'],
    [{ rules: '5.5', place: real }, '--rules is of --backend model'],
  ])('refuses %j', (asked, message) => {
    expect(() => planAllocations(about, asked)).toThrow(message);
  });
});

describe('the traffic of an allocation', () => {
  const of = (treated: number, seed = 3) =>
    allocationTraffic({ comparison: connections, treated }, link, { ...time, seed });

  it('has a buffer of one BDP, two flows per treated application, and one per other application', () => {
    const { traffic, units } = of(3);
    const queue = { packets: 139, at: 'front' };
    expect(traffic).toMatchObject({ rate_bit_s: 40e6, rtt_ms: [42], queue, burst_packets: 1 });
    expect(units).toHaveLength(UNITS);
    for (const { arm, flows } of units) expect(flows).toHaveLength(arm === 'treatment' ? 2 : 1);
    expect(units.filter(({ arm }) => arm === 'treatment')).toHaveLength(3);
    expect(units.flatMap(({ flows }) => flows)).toEqual(traffic.flows.map((_, index) => index));
  });

  it('nests the allocations of the same seed, and starts their applications at the same times', () => {
    const treatedAt = (treated: number) =>
      of(treated).units.flatMap(({ unit, arm }) => (arm === 'treatment' ? [unit] : []));
    for (let treated = 0; treated < UNITS; treated++)
      expect(treatedAt(treated + 1)).toEqual(expect.arrayContaining(treatedAt(treated)));
    const startsAt = (treated: number) => {
      const { traffic, units } = of(treated);
      return units.map(({ flows: [first = 0] }) => traffic.flows[first]?.start_s);
    };
    expect(startsAt(7)).toEqual(startsAt(0));
    expect(of(5, 4).units).not.toEqual(of(5).units);
  });

  it('differs between the arms only in the compared property', () => {
    const [, pacing, congestion] = comparisons as [Comparison, Comparison, Comparison];
    const listControls = (comparison: Comparison) =>
      allocationTraffic({ comparison, treated: 5 }, link, time).traffic.flows.map(
        ({ congestion_control, paced }) => `${congestion_control}${paced ? ', paced' : ''}`,
      );
    expect(new Set(listControls(pacing))).toEqual(new Set(['reno', 'reno, paced']));
    expect(new Set(listControls(congestion))).toEqual(new Set(['cubic', 'bbr']));
    expect(new Set(listControls(connections))).toEqual(new Set(['reno']));
    expect(cellName({ comparison: pacing, treated: 5 })).toBe('pacing-5');
  });
});

describe('the result of an application', () => {
  const flow = (index: number, acked_bytes: number | null) => ({
    ...{ flow: index, acked_bytes },
    sent_bytes: 2_000_000,
    retransmitted_bytes: 10_000,
  });

  it('is the sum over its connections: 5 MB in 20 s, and 20 kB of 4 MB retransmitted', () => {
    const summaries = [flow(0, 9e9), flow(1, 2e6), flow(2, 3e6)];
    expect(unitResult({ unit: 1, arm: 'treatment', flows: [1, 2] }, summaries, 20)).toEqual({
      ...{ unit: 1, arm: 'treatment' },
      throughput_kbps: 2000,
      retransmit_pct: 0.5,
    });
  });

  it('is missing if the kernel no longer knew one of its connections', () => {
    expect(unitResult({ unit: 1, arm: 'control', flows: [0] }, [flow(0, null)], 20)).toBeUndefined();
  });
});

describe('the estimands', () => {
  const makeUnits = (
    treated: number,
    kbps: Readonly<Record<'treatment' | 'control', number>>,
  ): AllocatedRun['units'] =>
    Array.from({ length: UNITS }, (_, unit) => {
      const arm = unit < treated ? ('treatment' as const) : ('control' as const);
      return { unit, arm, throughput_kbps: kbps[arm], retransmit_pct: 0.5 * (1 + treated / 5) };
    });

  /** Reno's fair share (§3.1): each of n connections has C/n of the link's capacity C, here 20 Mbit/s. */
  const fair = (treated: number): Allocation => {
    const share = 20_000 / (UNITS + treated);
    return {
      treated,
      runs: [{ k: 1, units: makeUnits(treated, { treatment: 2 * share, control: share }) }],
    };
  };
  const all = Array.from({ length: UNITS + 1 }, (_, treated) => fair(UNITS - treated));

  it('for fair shares are +100% at every allocation, TTE 0, and 20/19 instead of 2 for the last control unit', () => {
    const { points, tte } = effectsOn('throughput_kbps', all, UNITS);
    expect(points.map(({ treated }) => treated)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { tau } of points.slice(1, -1)) expect(tau?.pct).toBeCloseTo(100, 9);
    expect(tte?.pct).toBeCloseTo(0, 9);
    expect(points[9]?.spillover?.pct).toBeCloseTo(100 * (10 / 19 - 1), 9);
    expect(points[0]).toEqual({
      ...{ treated: 0, runs: 1, treatment: null, control: 2000, tau: null, spillover: null },
    });
    expect(points[10]).toMatchObject({ control: null, tau: null, spillover: null });
  });

  it('include a TTE that A/B tests miss: 1.5% of retransmissions instead of 0.5%', () => {
    const { points, tte } = effectsOn('retransmit_pct', all, UNITS);
    for (const { tau } of points.slice(1, -1)) expect(tau?.pct).toBeCloseTo(0, 9);
    expect(tte?.pct).toBeCloseTo(200, 9);
  });

  it('are missing without their runs: no TTE without both ends, no spillover without allocation 0', () => {
    const { points, tte } = effectsOn('throughput_kbps', [fair(5), fair(10)], UNITS);
    expect(tte).toBeNull();
    expect(points[0]?.tau?.pct).toBeCloseTo(100, 9);
    expect(points[0]?.spillover).toBeNull();
  });

  it('have intervals over pairs of runs with the same seed, and none for a single run', () => {
    const run = (k: number, treated: number, treatment: number) => ({
      k,
      units: makeUnits(treated, { treatment, control: 1000 * k }),
    });
    const at = (treated: number, ...treatments: number[]): Allocation => ({
      treated,
      runs: treatments.map((treatment, index) => run(index + 1, treated, treatment)),
    });
    const { points, tte } = effectsOn(
      'throughput_kbps',
      [at(0, 0, 0), at(5, 1900, 4200), at(10, 1100, 2200)],
      UNITS,
    );
    // The means are 3050 (treatment) and 1500 (control, 1000 and 2000), and their ratio is 2.0333. The deviations are
    // 1900 - 2.0333 × 1000 = -133.3 and 4200 - 2.0333 × 2000 = 133.3, the standard error 133.3, and t(1) = 12.706.
    expect(points[1]?.tau?.pct).toBeCloseTo(103.3333, 3);
    expect(points[1]?.tau?.interval_pct?.[0]).toBeCloseTo(103.333 - (12.7062 * 133.333) / 15, 1);
    expect(points[1]?.tau?.interval_pct?.[1]).toBeCloseTo(103.333 + (12.7062 * 133.333) / 15, 1);
    // Both runs increase by 10%, so the interval has no width although the runs differ.
    for (const end of tte?.interval_pct ?? [NaN]) expect(end).toBeCloseTo(10, 9);
    expect(effectsOn('throughput_kbps', all, UNITS).tte?.interval_pct).toBeNull();
  });

  it('have no percentage if the control is 0', () => {
    const lossless = all.map(({ treated, runs }) => ({
      treated,
      runs: runs.map(({ k, units }) => ({
        k,
        units: units.map((unit) => ({ ...unit, retransmit_pct: 0 })),
      })),
    }));
    expect(effectsOn('retransmit_pct', lossless, UNITS).tte).toBeNull();
  });
});
