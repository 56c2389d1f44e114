import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PAPER_LINK } from '../../network/links/link.ts';
import type { RunRecord } from '../records/run-record.ts';
import { firstSegment } from './film-place.ts';
import { RunSimulator } from './simulate-run.ts';
import type { SimulatedSpec } from './simulated-spec.ts';

describe('the position in the video at which a run begins', () => {
  it('is the start for the first run, and then each other position once', () => {
    const places = Array.from({ length: 6 }, (_, index) => firstSegment(index + 1, 6, 3));
    expect(places[0]).toBe(0);
    expect(places.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(firstSegment(7, 6, 3)).toBe(0);
    expect(firstSegment(8, 6, 3)).toBe(places[1]);
  });

  it('depends on the seed', () => {
    const order = (seed: number) =>
      Array.from({ length: 20 }, (_, index) => firstSegment(index + 1, 20, seed));
    expect(order(1)).toEqual(order(1));
    expect(order(1)).not.toEqual(order(2));
  });

  it('is always the start for a video of one segment', () => {
    expect(firstSegment(3, 1, 1)).toBe(0);
  });
});

describe('runs of one cell on a link without random loss', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'place-'));
    // Four segments of 4 s with 1 to 4 Mbit/s, and a short last segment, which is not looped.
    const segment_bytes = [500_000, 1_000_000, 1_500_000, 2_000_000, 10_000];
    writeFileSync(
      join(folder, 'quality.json'),
      JSON.stringify({
        version: 1,
        segment_duration_s: [4, 4, 4, 4, 1],
        representations: { v1: { media: 'video', bitrate_kbps: 2500, segment_bytes } },
      }),
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('begin at different positions of the video, and record them', async () => {
    const simulator = new RunSimulator();
    const made = async (k: number): Promise<{ record: RunRecord; bytes: number }> => {
      const into = join(folder, String(k));
      const spec: SimulatedSpec = {
        ...{ arm: 'dashjs', k, seconds: 20, link: PAPER_LINK, switch: 'mahimahi', edge: 'node' },
        ...{ viewers: 'chromium', congestionControl: 'reno', sammy: {}, film: folder, folder: into },
        ...{ seed: 1 + k, placeSeed: 1, asLab: false },
      };
      await simulator.make(spec);
      expect(existsSync(join(into, 'session.json'))).toBe(true);
      const [first = ''] = readFileSync(join(into, 'decisions.jsonl'), 'utf8').split('\n');
      return {
        record: JSON.parse(readFileSync(join(into, 'session.json'), 'utf8')) as RunRecord,
        bytes: (JSON.parse(first) as { size_bytes: number }).size_bytes,
      };
    };
    const [first, second, fifth] = [await made(1), await made(2), await made(5)];
    expect(first.record.film_from_s).toBeUndefined();
    expect(first.bytes).toBe(500_000);
    const { film_from_s = NaN } = second.record;
    expect([4, 8, 12]).toContain(film_from_s);
    expect(second.bytes).toBe(500_000 * (1 + film_from_s / 4));
    expect(second.record.metrics).not.toEqual(first.record.metrics);
    // The video has four start positions, so the fifth run begins where the first did.
    expect(fifth.record.metrics).toEqual(first.record.metrics);
  });
});
