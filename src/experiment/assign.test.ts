import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { assignUnits, CONFIGURATION, UNITS as ALPHABETS } from '../testing/assign-units.ts';
import { milliseconds } from '../units.ts';
import { assign } from './assign.ts';
import { getBucket } from './bucket.ts';
import { readExperiments } from './read-experiments.ts';
import type { Experiment } from './experiment.ts';

const UNITS = Array.from({ length: 10_000 }, (_, index) => `unit-${index}`);
const BEGIN = Date.parse('2026-11-22T00:00Z');
const HOUR = 3_600_000;
const at = (hours: number, cluster = 'link-1') => ({ cluster, now: milliseconds(BEGIN + hours * HOUR) });

function experiment(fields: object): Experiment {
  const given = { name: 'e', from: '2026-11-22T00:00Z', treatment: { pacing: false }, ...fields };
  const [read] = readExperiments({ version: 1, experiments: [given] });
  if (!read) throw new Error('there is no experiment');
  return read;
}
const ab = (allocation: number) => experiment({ design: 'ab', allocation });

describe('buckets', () => {
  // Test cases of GrowthBook's SDKs for version 2 of the hash. The first two are from its documentation.
  it.each([
    ['', 'a', 0.0216],
    ['seed', 'a', 0.0505],
    ['seed', 'b', 0.2696],
    ['foo', 'ab', 0.2575],
    ['foo', 'def', 0.2019],
    ['89123klj', '8952klfjas09ujkasdf', 0.124],
    ['90850943850283058242805', '123', 0.7516],
    ['()**(%$##$%#$#', '___)((*":&', 0.0128],
  ])('of seed %j and unit %j', (seed, unit, bucket) => expect(getBucket(seed, unit)).toBe(bucket));

  it('are uniform over units', () => {
    const CELLS = 100;
    for (const seed of ['', 'pacing', 'another']) {
      const counts = Array<number>(CELLS).fill(0);
      for (const unit of UNITS) {
        const cell = Math.floor(getBucket(seed, unit) * CELLS);
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
      const expected = UNITS.length / CELLS;
      const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      // The 0.9995 and 0.0005 quantiles of χ² with 99 degrees of freedom. A lower value would be implausibly uniform.
      expect(chiSquare).toBeLessThan(152.5);
      expect(chiSquare).toBeGreaterThan(59);
    }
  });

  it.skipIf(!hasPython())('are the same in Python, for 10,000 units of any alphabet', () => {
    const twin = `
import json, sys
def fnv1a(text):
    hash = 0x811C9DC5
    data = text.encode("utf-16-le")
    for low, high in zip(data[::2], data[1::2]):
        hash = ((hash ^ (low | high << 8)) * 0x01000193) & 0xFFFFFFFF
    return hash
seed, units, allocation = json.load(sys.stdin)
buckets = [fnv1a(str(fnv1a(seed + unit))) % 10000 / 10000 for unit in units]
json.dump([[bucket, "treatment" if bucket < allocation else "control"] for bucket in buckets], sys.stdout)`;
    const { name, allocation } = CONFIGURATION.experiments[0] ?? {};
    const input = JSON.stringify([name, ALPHABETS, allocation]);
    const output = execFileSync('python3', ['-c', twin], { input }).toString();
    const theirs = (JSON.parse(output) as [number, string][]).map(([bucket, arm]) => `${bucket} ${arm}`);
    expect(theirs).toEqual(assignUnits());
  });
});

/**
 * Whether Python is installed. The Python implementation needs only the interpreter; without it, the test is skipped.
 */
function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version']);
    return true;
  } catch {
    return false;
  }
}

describe('allocations', () => {
  const treatedAt = (allocation: number) =>
    new Set(UNITS.filter((unit) => assign(unit, ab(allocation), at(0))?.arm === 'treatment'));

  it('are nested: with a larger allocation, treated units remain treated', () => {
    let before = new Set<string>();
    for (const allocation of [0, 0.01, 0.05, 0.5, 0.95, 1]) {
      const treated = treatedAt(allocation);
      for (const unit of before) expect(treated.has(unit)).toBe(true);
      // Three standard deviations of a binomial share.
      const deviation = Math.sqrt((allocation * (1 - allocation)) / UNITS.length);
      expect(Math.abs(treated.size / UNITS.length - allocation)).toBeLessThanOrEqual(3 * deviation);
      before = treated;
    }
    expect(before.size).toBe(UNITS.length);
  });

  it('depend on the cluster in a paired design, and exclude other clusters', () => {
    const paired = experiment({ design: 'paired', allocations: { 'link-1': 0.95, 'link-2': 0.05 } });
    const unit = UNITS.find((each) => getBucket('e', each) > 0.05 && getBucket('e', each) < 0.95) ?? '';
    expect(assign(unit, paired, at(0, 'link-1'))).toMatchObject({
      arm: 'treatment',
      allocation: 0.95,
      window: null,
    });
    expect(assign(unit, paired, at(0, 'link-2'))).toMatchObject({ arm: 'control', allocation: 0.05 });
    expect(assign(unit, paired, at(0, 'link-3'))).toBeNull();
    expect(assign(unit, paired, at(0, 'constructor'))).toBeNull();
  });

  it('change once in an event study', () => {
    const event = experiment({ design: 'event', at: '2026-11-23T00:00Z', low: 0, high: 1 });
    expect(assign('u', event, at(23.99))).toMatchObject({ arm: 'control', allocation: 0, window: 0 });
    expect(assign('u', event, at(24))).toMatchObject({ arm: 'treatment', allocation: 1, window: 1 });
  });

  it('alternate in a switchback, in a different order in each cluster', () => {
    const switchback = experiment({
      design: 'switchback',
      window_s: 3600,
      washout_s: 600,
      low: 0.1,
      high: 0.9,
    });
    const schedule = (cluster: string) =>
      Array.from({ length: 200 }, (_, hour) => assign('u', switchback, at(hour + 0.5, cluster))?.allocation);
    const one = schedule('link-1');
    // Each pair of windows has both allocations.
    for (let pair = 0; pair < 200; pair += 2)
      expect([...one.slice(pair, pair + 2)].sort()).toEqual([0.1, 0.9]);
    // The order in a pair is a fair coin: 31 to 69 of 100 pairs begin with 0.9, except in eight of 100,000 schedules.
    const heads = one.filter((allocation, window) => window % 2 === 0 && allocation === 0.9).length;
    expect(heads).toBeGreaterThan(30);
    expect(heads).toBeLessThan(70);
    expect(schedule('link-2')).not.toEqual(one);
    expect(schedule('link-1')).toEqual(one);
    const washouts = [0, 0.1, 1, 1.1, 1.17, 1.99, 2].map(
      (hours) => assign('u', switchback, at(hours))?.washout,
    );
    expect(washouts).toEqual([false, false, true, true, false, false, true]);
    expect(assign('u', switchback, at(1.99))?.window).toBe(1);
  });

  it('apply from the beginning to the end of the experiment, in its clusters', () => {
    const limited = experiment({
      design: 'ab',
      allocation: 1,
      clusters: ['link-1'],
      until: '2026-11-22T02:00+01:00',
    });
    expect(assign('u', limited, at(-0.01))).toBeNull();
    expect(assign('u', limited, at(0))).toMatchObject({ arm: 'treatment' });
    expect(assign('u', limited, at(1))).toBeNull();
    expect(assign('u', limited, at(0, 'link-2'))).toBeNull();
  });

  it.each([
    ['', at(0), "unit is '', expected text that is not empty"],
    ['u', { cluster: '', now: milliseconds(BEGIN) }, "cluster is '', expected text that is not empty"],
    ['u', { cluster: 'c', now: milliseconds(NaN) }, 'now is NaN, expected milliseconds since 1970'],
  ])('are not given to %j at %j', (unit, place, message) => {
    expect(() => assign(unit, ab(1), place)).toThrow(message);
  });
});
