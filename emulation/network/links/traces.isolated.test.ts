import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  cellularTraces,
  constantTrace,
  parseTrace,
  resolveTrace,
  scheduleTrace,
  writeLinkTraces,
} from './traces.ts';

describe('constantTrace', () => {
  it('has a packet of 1504 bytes per millisecond at 12.032 Mbit/s', () => {
    expect(constantTrace(12.032)).toBe('1\n');
    expect(constantTrace(24.064)).toBe('1\n1\n');
    expect(constantTrace(6.016)).toBe('2\n');
    expect(constantTrace(18.048)).toBe('1\n2\n2\n');
  });

  it("is within 0.01% of the paper's rate: 40 Mbit/s are 625 packets in 188 ms", () => {
    const trace = parseTrace(constantTrace(40), 'made');
    expect(trace.opportunities_ms.length / trace.duration_ms).toBeCloseTo(625 / 188, 3);
    expect(Math.abs(trace.mean_mbps / 40 - 1)).toBeLessThan(1e-4);
  });

  it('has the requested rate, spread evenly', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 1000, noNaN: true }), (mbps) => {
        const { opportunities_ms, duration_ms, mean_mbps } = parseTrace(constantTrace(mbps), 'made');
        expect(Math.abs(mean_mbps / mbps - 1)).toBeLessThan(1.0001e-4);
        // At each ms, the trace has sent as many whole packets as fit into the bytes that a fluid would have sent.
        const perMs = opportunities_ms.length / duration_ms;
        for (const [index, time] of opportunities_ms.entries()) {
          expect(index + 1).toBeLessThanOrEqual(time * perMs + 1e-3);
          expect(index + 1).toBeGreaterThan((time - 1) * perMs - 1e-3);
        }
      }),
      { numRuns: 50 },
    );
  });

  it.each([0, -1, NaN, Infinity, 0.001, 20_000])('refuses %d Mbit/s', (mbps) => {
    expect(() => constantTrace(mbps)).toThrow(`a link cannot have ${mbps} Mbit/s; expected 0.01 to 10000`);
  });
});

describe('scheduleTrace', () => {
  const step = fc.record({
    seconds: fc.integer({ min: 100, max: 3000 }).map((ms) => ms / 1000),
    mbps: fc.double({ min: 0.5, max: 60, noNaN: true }),
  });

  it('has the rate of every step, and the mean rate, over whole periods', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
        const seconds = steps.reduce((sum, each) => sum + each.seconds, 0);
        const megabits = steps.reduce((sum, each) => sum + each.seconds * each.mbps, 0);
        const { opportunities_ms, duration_ms, mean_mbps } = parseTrace(scheduleTrace(steps), 'made');
        expect(Math.abs(mean_mbps / (megabits / seconds) - 1)).toBeLessThan(1.0001e-4);
        const passes = duration_ms / 1000 / seconds;
        expect(passes).toBeCloseTo(Math.round(passes), 6);

        let from = 0;
        for (const each of steps) {
          const to = from + Math.round(each.seconds * 1000);
          const inStep = opportunities_ms.filter((time) => time > from && time <= to).length;
          const asked = (each.seconds * each.mbps * 1e6) / 8 / 1504;
          expect(Math.abs(inStep - asked)).toBeLessThan(1 + asked * 1e-4 + 1e-3);
          from = to;
        }
      }),
      { numRuns: 50 },
    );
  });

  it('equals the constant trace if all steps have the same rate', () => {
    expect(scheduleTrace([{ seconds: 0.001, mbps: 40 }])).toBe(constantTrace(40));
  });

  it('refuses an invalid schedule', () => {
    expect(() => scheduleTrace([])).toThrow('at least one step');
    expect(() => scheduleTrace([{ seconds: 1, mbps: 0 }])).toThrow('a link cannot have 0 Mbit/s');
    const negative = [
      { seconds: 1, mbps: 9 },
      { seconds: 1, mbps: -1 },
    ];
    expect(() => scheduleTrace(negative)).toThrow('a link cannot have -1 Mbit/s');
    for (const seconds of [0, -1, 0.0005, 1.00005, NaN, Infinity])
      expect(() => scheduleTrace([{ seconds, mbps: 1 }])).toThrow(`a step cannot last ${seconds} s`);
  });
});

describe('scheduleTrace with pauses', () => {
  const of = (...steps: readonly (readonly [ms: number, packetsPerMs: number])[]) =>
    scheduleTrace(steps.map(([ms, packets]) => ({ seconds: ms / 1000, mbps: packets * 12.032 })));

  it('has no packets in a pause', () => {
    expect(of([2, 1], [3, 0], [1, 1])).toBe('1\n2\n6\n');
    expect(of([3, 0], [1, 2])).toBe('4\n4\n');
  });

  it('keeps a pause at the end by the last packet, because the file repeats after it', () => {
    expect(of([2, 1], [3, 0])).toBe('1\n5\n');
  });
});

describe('parseTrace', () => {
  it('computes duration and mean rate', () => {
    expect(parseTrace('0\n5\n5\n10\n', 'x')).toEqual({
      opportunities_ms: [0, 5, 5, 10],
      duration_ms: 10,
      // 4 x 1504 bytes in 10 ms.
      mean_mbps: 4.8128,
    });
    expect(parseTrace('1', 'x').duration_ms).toBe(1);
  });

  it.each([
    ['1\nfast\n', 'trace a.down, line 2: expected a time in whole milliseconds, not "fast"'],
    ['1.5\n', 'trace a.down, line 1: expected a time in whole milliseconds, not "1.5"'],
    ['-1\n', 'trace a.down, line 1: expected a time in whole milliseconds, not "-1"'],
    ['1\n\n2\n', 'trace a.down, line 2: expected a time in whole milliseconds, not ""'],
    ['x'.repeat(90), `line 1: expected a time in whole milliseconds, not "${'x'.repeat(40)}..."`],
    ['1\n5\n4\n', 'trace a.down, line 3: expected a time of at least 5, that of the line before, not "4"'],
    ['', 'trace a.down is empty; expected one time in whole milliseconds a line'],
    ['0\n0\n', 'trace a.down, line 2: expected the last time to be above 0, where it repeats'],
  ])('refuses %j', (text, message) => {
    expect(() => parseTrace(text, 'a.down')).toThrow(message);
  });

  it('reads a written trace', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5000), { minLength: 1 }), (times) => {
        const sorted = [...times.sort((a, b) => a - b), 5001];
        expect(parseTrace(sorted.join('\n'), 'x').opportunities_ms).toEqual(sorted);
      }),
    );
  });
});

describe('files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'traces-'));
    vi.stubEnv('MAHIMAHI_TRACES', folder);
    for (const [name, text] of [
      ['LTE.down', '1\n'],
      ['LTE.up', '2\n'],
      ['EVDO.down', '30\n'],
      ['EVDO.up', '40\n'],
      ['half.down', '1\n'],
      ['README', 'words'],
    ] as const)
      await writeFile(join(folder, name), text);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  it('lists the pairs of traces', async () => {
    const pairs = await cellularTraces();
    expect(pairs.map(({ name }) => name)).toEqual(['EVDO', 'LTE']);
    expect(pairs[1]).toEqual({
      name: 'LTE',
      uplink: join(folder, 'LTE.up'),
      downlink: join(folder, 'LTE.down'),
    });
  });

  it('finds a trace by name and by path, and lists the available ones', async () => {
    expect(await resolveTrace('LTE', 'uplink')).toBe(join(folder, 'LTE.up'));
    expect(await resolveTrace('LTE', 'downlink')).toBe(join(folder, 'LTE.down'));
    expect(await resolveTrace(join(folder, 'half.down'), 'uplink')).toBe(join(folder, 'half.down'));
    await expect(resolveTrace('half', 'uplink')).rejects.toThrow(
      "no trace 'half': it is neither a rate in Mbit/s (20, or 40x30,5x20) nor a file nor one of EVDO, LTE",
    );
    vi.stubEnv('MAHIMAHI_TRACES', join(folder, 'none'));
    await expect(resolveTrace('LTE', 'uplink')).rejects.toThrow(
      `no trace 'LTE': it is not a rate in Mbit/s (20, or 40x30,5x20), there is no such file, and there are no mahimahi-traces in ${join(folder, 'none')}; give a file, or see npm run lab -- doctor`,
    );
  });

  it('writes what mm-link needs, readable by all users', async () => {
    const before = process.umask(0o077);
    try {
      const { uplink, downlink } = await writeLinkTraces(
        { kind: 'trace', uplink: 'LTE', downlink: 'LTE' },
        folder,
      );
      expect(await readFile(uplink, 'utf8')).toBe('2\n');
      expect(await readFile(downlink, 'utf8')).toBe('1\n');
      expect((await stat(downlink)).mode & 0o777).toBe(0o644);
    } finally {
      process.umask(before);
    }
  });

  it('writes both directions, with the highest rate of a schedule for the uplink', async () => {
    const text = async (path: string) => readFile(path, 'utf8');
    const constant = await writeLinkTraces({ kind: 'constant', mbps: 12.032 }, folder);
    expect([await text(constant.uplink), await text(constant.downlink)]).toEqual(['1\n', '1\n']);
    const steps = [
      { seconds: 10, mbps: 6.016 },
      { seconds: 10, mbps: 12.032 },
    ];
    const schedule = await writeLinkTraces({ kind: 'schedule', steps }, folder);
    expect(await text(schedule.uplink)).toBe('1\n');
    // 5000 packets in the first 10 s and 10,000 packets in the next 10 s.
    expect(parseTrace(await text(schedule.downlink), 'x').opportunities_ms).toHaveLength(15_000);
  });

  it('refuses an invalid file before writing anything', async () => {
    const bad = join(folder, 'bad.down');
    await writeFile(bad, '3\n2\n');
    const rate = { kind: 'trace', uplink: 'LTE', downlink: bad } as const;
    await expect(writeLinkTraces(rate, folder)).rejects.toThrow(`trace ${bad}, line 2: expected a time of`);
    await expect(stat(join(folder, 'uplink.trace'))).rejects.toThrow('ENOENT');
  });
});
