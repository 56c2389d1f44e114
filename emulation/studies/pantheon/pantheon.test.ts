import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runStudy } from '../../harness/runs/run-study.ts';
import { pantheon } from './pantheon.ts';
import { readPackets, readRuns } from './run-files.ts';
import { checkPath, paths } from './paths.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pantheon-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const model = { backend: 'model', link: 'virtual', clock: 'virtual' } as const;
const plan = (asked: Parameters<typeof pantheon.plan>[0]) => pantheon.plan({ place: model, ...asked });

it('three flows of a modeled scheme have every packet, statistics, a front page and a page of the path', async () => {
  const outDir = join(folder, 'out');
  const asked = { schemes: ['reno'], flows: [3], runs: 1, seconds: 6 };
  await expect(
    runStudy(pantheon, { asked, outDir, place: { backend: 'model' }, resume: false, command: '' }),
  ).resolves.toBe('complete');
  const cell = { name: 'reno@wiredx3', scheme: 'reno', path: 'wired', flows: 3 };
  const [result] = readRuns(outDir, cell);
  if (!result) throw new Error('no run');
  expect(result.fault).toBeNull();
  expect(result.statistics.each.map(({ start_s }) => start_s)).toEqual([0, 2, 4]);
  // 12 Mbit/s of frames of 1514 bytes carry 11.889 Mbit/s of IP packets. A queue of 120 kB holds 79 packets, which take
  // 79.7 ms.
  expect(result.statistics.throughput_mbps).toBeGreaterThan(11.8);
  expect(result.statistics.throughput_mbps).toBeLessThan(11.9);
  const delays = readPackets(outDir, result).map(({ delay_ms }) => delay_ms);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(20 + 1.009);
  expect(Math.max(...delays)).toBeLessThanOrEqual(20 + 80 * 1.01);
  for (const page of ['report.html', 'path-wired.html', 'summary.json'])
    expect(existsSync(join(outDir, page)), page).toBe(true);
  expect(readFileSync(join(outDir, 'report.html'), 'utf8')).toContain('path-wired.html');
}, 60_000);

describe('refuses impossible settings before anything runs', () => {
  it.each<[Parameters<typeof pantheon.plan>[0], RegExp]>([
    [{ rate: '0' }, /^--rate is '0', expected a number of Mbit\/s above 0/],
    [{ schemes: ['renoo'] }, /^no scheme 'renoo'/],
    [{ schemes: ['srt'] }, /^there is no model of 'srt'; there are reno, cubic, bbr/],
    [{ rate: '10', paths: ['wired'] }, /exclude each other/],
  ])('%j', async (asked, message) => {
    await expect(Promise.resolve().then(() => plan(asked))).rejects.toThrow(message);
  });

  it('refuses a path that loses everything, or has no room for a packet', () => {
    expect(() => checkPath('p', { ...paths.wired, loss: 1 })).toThrow(/loses everything/);
    expect(() => checkPath('p', { ...paths.wired, queue_bytes: 100 })).toThrow(/no packet of 1514 fits/);
  });
});

it('plans two runs of each scheme on one path with --quick', async () => {
  const { settings, runs } = await plan({
    quick: true,
    place: { backend: 'light', link: 'p4', clock: 'real' },
  });
  expect([settings.runs, settings.seconds, Object.keys(settings.paths)]).toEqual([2, 8, ['wired']]);
  expect(runs).toHaveLength(2 * settings.schemes.length);
  expect(settings.schemes.length).toBeGreaterThanOrEqual(12);
});
