/** The plan of a trial before it plays: sessions, codes, exploring, networks and models. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTraces } from '../../network/links/trace-files/read-traces.ts';
import { tracesHash } from '../../network/links/trace-files/traces-hash.ts';
import { DAY_MS, START_MS } from '../world/arrivals.ts';
import { assignedCode, makeKey } from './blinding.ts';
import { drawSessions } from './draw-sessions.ts';
import { planParts } from './plan.ts';
import type { TrialSettings } from './settings.ts';
import { MODEL, setUpSmallTrial } from './testing/small-trial.ts';
import { FROZEN, RETRAINED, TRIAL_ARMS, trialArm } from './trial-arms.ts';

const small = setUpSmallTrial();

/** The χ² statistic of counts whose expected values are equal. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

const countBy = <T>(values: readonly T[], keys: readonly T[]): number[] =>
  keys.map((key) => values.filter((value) => value === key).length);

describe('the properties of a session', () => {
  const drawn = (more: Partial<TrialSettings> = {}, day = 1) =>
    drawSessions({ ...small.settings, sessions_per_day: 4000, ...more }, small.networks, day);

  it('depend on the seed and the day only, and lie within the day', () => {
    expect(drawn()).toEqual(drawn());
    expect(drawn({ seed: 4 })[0]).not.toEqual(drawn()[0]);
    expect(drawn({}, 2)[0]?.offset_ms).not.toEqual(drawn()[0]?.offset_ms);
    for (const { began_ms, watch_s, offset_ms } of drawn({}, 2)) {
      expect(began_ms).toBeGreaterThanOrEqual(START_MS + DAY_MS);
      expect(began_ms + watch_s * 1000).toBeLessThanOrEqual(START_MS + 2 * DAY_MS);
      expect(offset_ms).toBeLessThan(12_000);
      expect(watch_s).toBeLessThanOrEqual(40);
    }
    expect(new Set(drawn().map(({ id }) => id)).size).toBe(4000);
  });

  it("have each network equally often, and watch times of Puffer's public statistics", () => {
    // 13.8 is the 0.999 quantile of χ² with 2 degrees of freedom.
    expect(
      chiSquare(
        countBy(
          drawn().map(({ network }) => network),
          [0, 1, 2],
        ),
      ),
    ).toBeLessThan(13.8);
    // In Puffer's public statistics, 12.5% of the viewers leave within 9.61 s, and 25% within 27.36 s. Four standard
    // deviations of 4000 sessions are 2.1 and 2.7 percentage points.
    const below = (s: number) => drawn().filter(({ watch_s }) => watch_s < s).length / 4000;
    expect(Math.abs(below(9.61) - 0.125)).toBeLessThan(0.022);
    expect(Math.abs(below(27.36) - 0.25)).toBeLessThan(0.028);
  });
});

describe('the random assignment of codes', () => {
  const codes = Object.keys(makeKey(TRIAL_ARMS, 1));

  it('assigns a letter to every arm, in another order for another seed', () => {
    expect(codes).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']);
    const keys = Array.from({ length: 400 }, (_, seed) => makeKey(TRIAL_ARMS, seed));
    for (const key of keys) expect(Object.values(key).sort()).toEqual([...TRIAL_ARMS].sort());
    // The limit is the 0.999 quantile of χ² with 7 degrees of freedom.
    expect(
      chiSquare(
        countBy(
          keys.map(({ A }) => A),
          TRIAL_ARMS,
        ),
      ),
    ).toBeLessThan(24.3);
    expect(makeKey(TRIAL_ARMS, 5)).toEqual(makeKey(TRIAL_ARMS, 5));
  });

  it('assigns equally many sessions to every letter, on every network', () => {
    const sessions = drawSessions({ ...small.settings, sessions_per_day: 9000 }, small.networks, 1);
    const assigned = (of: typeof sessions) =>
      of.map(({ id }) => assignedCode(small.settings.seed, id, codes));
    expect(chiSquare(countBy(assigned(sessions), codes))).toBeLessThan(24.3);
    for (const network of [0, 1, 2])
      expect(
        chiSquare(countBy(assigned(sessions.filter((each) => each.network === network)), codes)),
      ).toBeLessThan(24.3);
    const long = sessions.filter(({ watch_s }) => watch_s >= 40);
    expect(chiSquare(countBy(assigned(long), codes))).toBeLessThan(24.3);
    const [first] = sessions;
    const seeds = Array.from({ length: 100 }, (_, seed) => assignedCode(seed, first?.id ?? '', codes));
    expect(new Set(seeds).size).toBe(codes.length);
  });
});

describe('exploring', () => {
  const exploredBy = (more: Partial<TrialSettings>) => {
    const own = { ...small.settings, arms: TRIAL_ARMS, ...more };
    const plan = { settings: own, key: makeKey(own.arms, 3), networks: small.networks, outDir: small.folder };
    const arms = planParts(plan, 2)[0]?.arms ?? [];
    return Object.fromEntries(arms.map(({ arm, explored_pct }) => [arm, explored_pct]));
  };

  it('is for the arms that learn in the trial only, and disabled by default', () => {
    const nobody = Object.fromEntries(TRIAL_ARMS.map((arm) => [arm, 0]));
    expect(exploredBy({})).toEqual(nobody);
    expect(exploredBy({ explored_pct: 10 })).toEqual({ ...nobody, [RETRAINED]: 10, [FROZEN]: 10 });
  });

  it("draws rungs, and keeps the pace of Fugu's plans", () => {
    const armSettings = (pct: number) => trialArm(RETRAINED, MODEL, pct).sammy;
    expect(armSettings(0)).toMatchObject({ abr: { name: 'fugu' }, pace: { name: 'fugu' } });
    expect(armSettings(10)).toMatchObject({ abr: { name: 'exploring-fugu' }, pace: { name: 'fugu' } });
  });
});

describe('a folder of traces', () => {
  it('is refused if a trace has the same name but another content', async () => {
    const own = join(small.folder, 'traces');
    mkdirSync(own);
    writeFileSync(join(own, 'one.down'), '1\n2\n1000\n');
    const before = await small.plan({ traces: own });
    expect(await small.plan({ traces: own, days: 4 })).toEqual({ ...before, runs: 4 });
    writeFileSync(join(own, 'one.down'), '1\n500\n1000\n');
    const after = await small.plan({ traces: own });
    expect({ ...after, traces_digest: before.traces_digest }).toEqual(before);
    expect(after.traces_digest).not.toBe(before.traces_digest);
    expect((await tracesHash(await readTraces(own))).startsWith(after.traces_digest)).toBe(true);
  });
});

describe('a model of the trial', () => {
  it('ends the trial if a page would replace it silently by HYB', () => {
    const broken = join(small.folder, 'day-001.bin');
    writeFileSync(broken, readFileSync(MODEL).subarray(0, -1));
    expect(() => trialArm(RETRAINED, broken, 0)).toThrow(
      /day-001\.bin: it has .* it is truncated; delete it, and --resume trains it again$/,
    );
  });
});
