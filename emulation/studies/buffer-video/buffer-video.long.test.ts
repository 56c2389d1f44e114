import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runStudy } from '../../harness/runs/run-study.ts';
import { bufferVideo } from './buffer-video.ts';
import { readHours } from './run-files.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'buffer-video-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('plays an hour of a site with both buffers, is identical for the same seed, and writes the report', async () => {
  const play = async (name: string) => {
    const outDir = join(folder, name);
    const place = { backend: 'model', link: 'virtual', clock: 'virtual' } as const;
    const asked = { sites: ['site-3'] as const, quick: true, hours: 1, seconds: 10, seed: 3 };
    await expect(runStudy(bufferVideo, { outDir, place, command: '', asked, resume: false })).resolves.toBe(
      'complete',
    );
    for (const file of ['report.html', 'summary.json', 'tables.md', 'exhibits.json'])
      expect(existsSync(join(outDir, file)), file).toBe(true);
    return readHours(outDir, 'site-3-dashjs');
  };
  const [first, second] = [await play('one'), await play('two')];
  expect(first[0]?.stacks.map(({ name, buffer_mb }) => `${name}${buffer_mb}`)).toEqual(['A50', 'B500']);
  expect(second).toEqual(first);
}, 600_000);
