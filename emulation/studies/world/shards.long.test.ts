import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { main } from '../../cli/command.ts';

const root = mkdtempSync(join(tmpdir(), 'world-shards-'));
const at = (name: string) => join(root, name);
afterAll(() => rmSync(root, { recursive: true }));
const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
});

it('is the same in shards and as a whole, resumes only with the same options, and lists missing runs', async () => {
  const small = '--days 1 --sessions-per-hour 2 --baseline-days 1 --treatment cap --seed 3'.split(' ');
  const run = (name: string, ...more: string[]) =>
    main(['run', 'world', ...small, ...more, '--out', at(name)]);
  const read = (folder: string, name: string) => readFileSync(join(at(folder), name), 'utf8');
  await run('whole');
  expect(said.at(-1)?.split('\n').at(-1)).toBe(`npm run experiment -- analyze ${at('whole')}/sessions.csv`);
  await run('one', '--shard', '1/2');
  expect(said.at(-1)).toMatch(/^not all links are played/);
  await run('two', '--shard', '2/2');
  await main(['merge', at('one'), at('two'), '--out', at('merged')]);
  for (const name of ['sessions.csv', 'truth.json']) expect(read('merged', name)).toBe(read('whole', name));

  await expect(run('whole', '--resume', '--design', 'ab')).rejects.toThrow(
    /--baseline-days needs --design paired/,
  );
  await expect(main(['world', '--resume', '--days', '2', '--out', at('whole')])).rejects.toThrow(
    /has results with other settings; choose another --out$/,
  );
  await expect(main(['merge', at('one'), '--out', at('half')])).rejects.toThrow(
    /^4 of 8 runs are merged; missing: .*cap-baseline-.*\/1.*; npm run lab -- run world --resume --out/,
  );
  await main(['world', '--resume', '--out', at('half')]);
  expect(read('half', 'sessions.csv')).toBe(read('whole', 'sessions.csv'));
}, 120_000);
