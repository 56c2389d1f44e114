import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionStudy } from './session-study.ts';
import { placeFor } from '../../harness/runs/place.ts';
import { traces, tracesOn } from './traces.ts';

const writeTemporary = async (text: string): Promise<string> => {
  const file = join(await mkdtemp(join(tmpdir(), 'traces-')), 'x.jsonl');
  await writeFile(file, text);
  return file;
};
const line = (name: string, duration_ms: number) =>
  JSON.stringify({
    name,
    periods: [
      [duration_ms / 2, 500, 40],
      [duration_ms / 2, 3000, 40],
    ],
  });

describe('tracesOn', () => {
  it('starts every trace at its beginning', async () => {
    const path = await writeTemporary(`${line('a', 60_000)}\n${line('b', 10_000)}`);
    const { conditions, arms, paired } = await tracesOn({ traces: path, seed: 1 });
    expect(conditions?.map(({ name }) => name)).toEqual(['x-a', 'x-b']);
    expect(paired).toBe(true);
    expect(arms).toContain('dashjs-no-fast-switch');
    expect(arms).toContain('initial-only');
    expect(arms[0]).toBe('dashjs');
  });

  it('begins at a position in each third of a trace, by the seed, and pairs the arms there', async () => {
    const path = await writeTemporary(`${line('a', 60_000)}\n${line('b', 30_000)}`);
    const of = (seed: number) => tracesOn({ traces: path, offsets: 3, seed });
    const settings = await of(1);
    const [one, other] = [settings.conditions ?? [], (await of(2)).conditions];
    expect((await of(1)).conditions).toEqual(one);
    expect(other).not.toEqual(one);
    expect(one.map(({ cluster }) => cluster)).toEqual(['x-a', 'x-a', 'x-a', 'x-b', 'x-b', 'x-b']);
    const places_s = one.map(({ name }) => Number(/-at-([\d.]+)s$/.exec(name)?.[1]));
    places_s.forEach((at_s, index) => {
      const third_s = index < 3 ? 20 : 10;
      expect(at_s).toBeGreaterThanOrEqual((index % 3) * third_s);
      expect(at_s).toBeLessThan(((index % 3) + 1) * third_s);
    });
    const { runs } = sessionStudy(settings).plan({ arms: ['dashjs', 'sammy-paper'] });
    expect(runs.map(({ cell }) => cell).slice(0, 2)).toEqual(
      ['dashjs', 'sammy-paper'].map((arm) => `${arm}@${one[0]?.name}`),
    );
    expect(runs).toHaveLength(12);
  });

  it('is the same study on a real link and in virtual time', async () => {
    const asked = { traces: await writeTemporary(line('a', 60_000)), offsets: 2, seed: 5 };
    const real = await traces.plan(asked);
    const place = placeFor(traces, { backend: 'model' });
    const virtual = await traces.plan({ ...asked, place });
    expect(virtual.runs).toEqual(real.runs);
    expect({ ...virtual.settings, about: '' }).toEqual({ ...real.settings, about: '' });
  });

  it('refuses to resume on other traces', async () => {
    const [a, b] = [await writeTemporary(line('a', 60_000)), await writeTemporary(line('b', 60_000))];
    const before = await tracesOn({ traces: a, seed: 1 });
    expect((await traces.plan({ traces: a, seed: 1 }, before)).settings).toEqual(before);
    expect((await traces.plan({}, before)).settings).toEqual(before);
    await expect(traces.plan({ traces: b, seed: 1 }, before)).rejects.toThrow(/results of other traces/);
  });

  it('refuses more positions than a trace has milliseconds, and invalid traces', async () => {
    const short = await writeTemporary(line('a', 4));
    await expect(tracesOn({ traces: short, offsets: 5, seed: 1 })).rejects.toThrow('x-a has only 4 ms');
    const bad = await writeTemporary(`${line('a', 10)}\n{"name":"b","periods":[[1000,-5,1]]}`);
    await expect(tracesOn({ traces: bad, seed: 1 })).rejects.toThrow(
      /x\.jsonl, line 2 \(b\), period 1: a rate of -5/,
    );
  });
});
