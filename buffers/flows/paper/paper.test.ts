import { describe, expect, it } from 'vitest';
import { cellName, makeCell, cellTraffic } from './cell.ts';
import { plannedCells, planPaper } from './settings.ts';

const about = { name: 'buffer-paper', about: '', figure: '' };
const settings = (asked = {}) => planPaper(about, asked).settings;

describe('the plan of the buffer paper', () => {
  it('uses a BDP of 165 packets, and at least 500 round trips after the start-up', () => {
    for (const quick of [false, true]) {
      const { bdp_packets, seconds, from_s, base_rtt_ms } = settings({ quick });
      expect(bdp_packets).toBeCloseTo(165.125, 3);
      expect(((seconds - from_s) * 1000) / base_rtt_ms).toBeGreaterThanOrEqual(500);
    }
  });

  it('plans a cell of several figures once, and only cells of the requested figures', () => {
    const all = planPaper(about, {}).runs.map(({ cell }) => cell);
    expect(new Set(all).size).toBe(all.length);
    expect(planPaper(about, { figures: [7] }).runs.map(({ cell }) => cell)).toEqual([
      'reno-n16-b165',
      'reno-n16-b165-spread',
    ]);
    expect(all).toEqual(expect.arrayContaining(['reno-n16-b165', 'reno-n16-b165-spread', 'reno-n64-b83']));
  });

  it('repeats each cell as often as requested, in rounds over all cells', () => {
    expect(planPaper(about, { figures: [7], runs: 2 }).runs.map(({ cell, k }) => `${cell}/${k}`)).toEqual([
      ...['reno-n16-b165/1', 'reno-n16-b165-spread/1'],
      ...['reno-n16-b165/2', 'reno-n16-b165-spread/2'],
    ]);
  });

  it('adds requested congestion controls to the figures that compare congestion controls', () => {
    const cells = (asked: object) => planPaper(about, { figures: [2, 3, 6, 11], ...asked }).runs;
    const names = cells({ cc: ['vegas'] }).map(({ cell }) => cell);
    const added = names.filter((name) => name.startsWith('vegas'));
    expect(added).toEqual(expect.arrayContaining(['vegas-n1-b165', 'vegas-n4-b132', 'vegas-n16-b20']));
    expect(names.filter((name) => !added.includes(name))).toEqual(cells({}).map(({ cell }) => cell));
    const before = settings({ cc: ['vegas'] });
    expect(planPaper(about, {}, before).settings).toEqual(before);
  });

  it('takes at most 15 minutes in its quick form', () => {
    const { runs, settings: quick, overhead_s } = planPaper(about, { quick: true });
    expect(runs.length * (quick.seconds + overhead_s)).toBeLessThanOrEqual(15 * 60);
  });

  it('resumes in the same form, with other figures if requested', () => {
    const before = settings({ quick: true });
    expect(planPaper(about, { figures: [7] }, before).settings).toEqual(before);
  });

  it.each<[Parameters<typeof planPaper>[1], string | RegExp]>([
    [{ figures: [99] }, /there is no figure 99; there are .*, 7/],
    [{ rate: '40x30' }, "--rate is '40x30', expected Mbit/s above 0"],
    [{ rtt: 0 }, '--rtt is 0, expected ms from 1 on'],
    [{ cc: ['nv'] }, /^there is no congestion control 'nv'; there are reno, /],
    [{ cc: ['bbr'] }, "--cc is 'bbr', which the figures have anyway"],
    [{ seconds: 5 }, '--seconds is 5, but 5 s of that are the start-up'],
  ])('refuses %j', (asked, message) => {
    expect(() => planPaper(about, asked)).toThrow(message);
  });
});

describe('the traffic of a cell', () => {
  const link = settings();
  const time = { from_s: 5, seconds: 25, seed: 3 };

  it('states buffers in packets, also in names', () => {
    const cell = makeCell('scalable', 4, 1 / 7, { rtts: 'spread', at: 'mark' });
    expect(cellName(cell, link)).toBe('scalable-n4-b24-mark-spread');
    expect(cellTraffic(cell, link, time)).toMatchObject({
      queue: { packets: 24, at: 'mark' },
      rate_bit_s: 100e6,
    });
  });

  it('spreads the round trips by ±10%, evenly over the flows', () => {
    const { rtt_ms, flows } = cellTraffic(makeCell('reno', 10, 1, { rtts: 'spread' }), link, time);
    expect(rtt_ms.map((rtt) => rtt.toFixed(3))).toEqual(['18.000', '19.000', '20.000', '21.000', '22.000']);
    expect(flows.map(({ rtt_class }) => rtt_class)).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
  });

  it('starts flows within 50 round trips at times from the seed; with a head start, all but one start later', () => {
    const startTimes = (seed: number, headStart = false) =>
      cellTraffic(makeCell('reno', 4, 1, { headStart }), link, { ...time, seed }).flows.map(
        ({ start_s }) => start_s,
      );
    expect(startTimes(3)).toEqual(startTimes(3));
    expect(startTimes(4)).not.toEqual(startTimes(3));
    expect(startTimes(3)[0]).toBe(0);
    expect(Math.max(...startTimes(3))).toBeLessThanOrEqual(1);
    const [first, ...others] = startTimes(3, true);
    expect(first).toBe(0);
    expect(Math.min(...others)).toBeGreaterThanOrEqual(4.5);
    expect(Math.max(...others)).toBeLessThan(5);
  });

  it('has every cell that a figure needs', () => {
    expect(plannedCells(link).size).toBeGreaterThan(20);
  });
});
