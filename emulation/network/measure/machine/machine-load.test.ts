import { describe, expect, it } from 'vitest';
import { summarizeWaits } from './canary.ts';
import { machineLoadBetween } from './machine-load.ts';
import { findDescendants, machineSnapshot, type MachineSnapshot } from './machine-snapshot.ts';

const process_ = (pid: number, parent: number, command: string, ticks: number) => ({
  pid,
  parent,
  command,
  ticks,
});
const thread = (pid: number, tid: number, waited_ms: number) => ({
  pid,
  tid,
  waited_ns: waited_ms * 1e6,
});

// Processes: 10 is the lab, 11 the run, 12 and 13 belong to the run, and 20 and 21 are other programs.
const before: MachineSnapshot = {
  at_ms: 1000,
  processors: 2,
  cpu: { idle: 5000, busy: 1000, stolen: 50 },
  pressure_us: 2_000_000,
  processes: [
    process_(1, 0, 'init', 100),
    process_(2, 0, 'kthreadd', 0),
    process_(3, 2, 'ksoftirqd/0', 100),
    process_(10, 1, 'node', 100),
    process_(11, 10, 'node', 0),
    process_(12, 11, 'mm-link', 0),
    process_(13, 11, 'chrome', 0),
    process_(20, 1, 'make', 200),
    process_(21, 20, 'cc', 70),
  ],
  shards: [],
  threads: [thread(11, 11, 0), thread(12, 12, 5), thread(13, 13, 0)],
};
// Ten seconds later, which is 2000 ticks on two processors.
const after: MachineSnapshot = {
  ...before,
  at_ms: 11_000,
  cpu: { idle: 6000, busy: 1900, stolen: 150 },
  pressure_us: 3_500_000,
  processes: [
    process_(1, 0, 'init', 100),
    process_(2, 0, 'kthreadd', 0),
    process_(3, 2, 'ksoftirqd/0', 180),
    process_(10, 1, 'node', 110),
    process_(11, 10, 'node', 200),
    process_(12, 11, 'mm-link', 40),
    process_(13, 11, 'chrome', 380),
    // A process `cc` has ended. Its 90 ticks now belong to its parent. Another one, `cc` 22, has started.
    process_(20, 1, 'make', 310),
    process_(22, 20, 'cc', 100),
  ],
  threads: [thread(11, 11, 100), thread(12, 12, 25), thread(13, 13, 300), thread(13, 14, 50)],
};

describe('machineLoadBetween', () => {
  const load = machineLoadBetween(before, after, { lab: 10, run: 11 });

  it("computes shares of all processors' time", () => {
    // 900 ticks busy, 1000 idle, and 100 stolen.
    expect(load.seconds).toBe(10);
    expect(load.busy_pct).toBeCloseTo(45, 9);
    expect(load.steal_pct).toBeCloseTo(5, 9);
    expect(load.steal_of_demand_pct).toBeCloseTo(10, 9);
    expect(load.pressure_ms_per_s).toBeCloseTo(150, 9);
  });

  it('counts another shard and its children as part of the lab', () => {
    const [earlier, later] = [before, after].map((snapshot) => ({ ...snapshot, shards: [20] }));
    const beside = earlier && later && machineLoadBetween(earlier, later, { lab: 10, run: 11 });
    expect(beside?.others_pct).toBeCloseTo(0, 9);
  });

  it('counts other programs with their children, but neither the lab nor the kernel', () => {
    // make and its compilers had 270 ticks and now have 410: the difference is 140 of 2000.
    expect(load.others_pct).toBeCloseTo(7, 9);
  });

  it('adds up the waits of the threads of each part of the run', () => {
    expect(load.run_queue_delay_ms_per_s).toEqual({ edge: 10, link: 2, browser: 35, programs: null });
  });

  it('counts another run of the same lab as part of the lab', () => {
    const lane = (ticks: number) => process_(30, 10, 'node', ticks);
    const beside = machineLoadBetween(
      { ...before, processes: [...before.processes, lane(0)] },
      { ...after, processes: [...after.processes, lane(900)] },
      { lab: 10, run: 11 },
    );
    expect(beside.others_pct).toBeCloseTo(7, 9);
    expect(beside.run_queue_delay_ms_per_s).toEqual(load.run_queue_delay_ms_per_s);
  });

  it('is null for figures that the kernel does not provide', () => {
    const without = (snapshot: MachineSnapshot): MachineSnapshot => ({
      ...snapshot,
      cpu: { ...snapshot.cpu, stolen: null },
      pressure_us: null,
      threads: [],
    });
    expect(machineLoadBetween(without(before), without(after), { lab: 10, run: 11 })).toMatchObject({
      steal_pct: null,
      steal_of_demand_pct: null,
      pressure_ms_per_s: null,
      run_queue_delay_ms_per_s: { edge: null, link: null, browser: null, programs: null },
    });
  });
});

describe('findDescendants', () => {
  it('includes indirect children', () => {
    expect([...findDescendants(10, before.processes)].sort()).toEqual([10, 11, 12, 13]);
  });
});

describe('summarizeWaits', () => {
  it('counts waits of more than a slot of mm-link as late', () => {
    expect(summarizeWaits([0, 500_000, 1_000_000, 2_500_000])).toEqual({
      samples: 4,
      late_pct: 25,
      mean_ms: 1,
      longest_ms: 2.5,
    });
    expect(summarizeWaits([])).toBeNull();
  });
});

describe.runIf(process.platform === 'linux')('machineSnapshot', () => {
  it('contains this process, with at least this thread', () => {
    const own = { lab: process.pid, run: process.pid };
    const { processes, threads, processors } = machineSnapshot(own);
    expect(processors).toBeGreaterThan(0);
    expect(processes.find(({ pid }) => pid === process.pid)?.parent).toBe(process.ppid);
    // Empty if the kernel does not have CONFIG_SCHED_INFO.
    if (threads.length > 0) expect(threads.map(({ tid }) => tid)).toContain(process.pid);
  });
});
