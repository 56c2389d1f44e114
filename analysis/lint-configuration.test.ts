import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { main } from './command.ts';

const PAIRED = {
  name: 'ceiling',
  design: 'paired',
  from: '2026-11-22T00:00Z',
  allocations: { north: 0.95, south: 0.05 },
  treatment: { max_bitrate_kbps: 2000 },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lint-configuration-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  process.exitCode = undefined;
});

/** Returns the command's output about a configuration, without the file's name, and its exit status. */
async function lint(text: string): Promise<[string[], typeof process.exitCode]> {
  const file = join(folder, 'experiments.json');
  writeFileSync(file, text);
  const print = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await main(['lint', file]);
    const lines = String(print.mock.calls[0]?.[0]).split('\n');
    return [lines.map((line) => line.replace(`${file}: `, '')), process.exitCode];
  } finally {
    print.mockRestore();
  }
}
const of = (...experiments: object[]) => JSON.stringify({ version: 1, experiments });

it('accepts a good configuration', async () => {
  expect(await lint(of(PAIRED))).toEqual([['nothing to say against it'], undefined]);
});

it.each([
  ['{', 'an edge runs no experiment with this file'],
  [of({ ...PAIRED, window: 1 }), 'experiments[0]: unknown field window; known: name'],
  [
    of({ ...PAIRED, treatment: { max_bitrate: 1 } }),
    'experiments[0].treatment: unknown option max_bitrate; known: abr',
  ],
  [
    of(PAIRED, { ...PAIRED, name: 'other', allocations: { south: 1, east: 0 } }),
    'experiments ceiling and other overlap in cluster south; a session can have only one arm; an edge runs no experiment',
  ],
  [
    of({ ...PAIRED, design: 'switchback', allocations: undefined, window_s: 10, washout_s: 20 }),
    'experiments[0].washout_s is 20, expected less than window_s',
  ],
])('reports the problem of %s', async (text, line) => {
  expect(await lint(text)).toEqual([[expect.stringContaining(line)], 1]);
});

it('reports each warning', async () => {
  const [lines, status] = await lint(
    of({ ...PAIRED, allocations: { north: 0.6, south: 0.4 }, treatment: {} }),
  );
  expect([lines.length, status]).toEqual([2, 1]);
});
