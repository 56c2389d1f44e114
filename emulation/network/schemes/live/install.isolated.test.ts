import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schemeNamed } from '../index.ts';
import { installSchemes } from './install.ts';

let cache = '';
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'schemes-'));
  process.env.DASHJS_SAMMY_CACHE = cache;
  // A machine without packages and toolchains.
  process.env.PATH = '';
});
afterAll(() => rmSync(cache, { recursive: true }));

it('a scheme that cannot be installed is lacking by name, with what to do, and leaves nothing behind', async () => {
  const wanted = ['cubic', 'srt', 'ledbat', 'quinn-bbr', 'copa'].map(schemeNamed);
  const gone = { ...schemeNamed('srt'), name: 'free', needs: {} };
  const { programs, lacking } = await installSchemes([...wanted, gone], () => undefined);
  expect(programs).toEqual({});
  expect(lacking).toEqual({
    cubic: 'no iperf3; sudo apt-get install iperf3',
    srt: 'no srt-file-transmit; sudo apt-get install srt-tools',
    ledbat: 'no go; install Go 1.24 or newer, and gcc',
    'quinn-bbr': expect.stringMatching(/^cargo is not on the PATH/) as string,
    copa: expect.stringMatching(/^cargo is not on the PATH/) as string,
  });
  expect(readdirSync(cache)).toEqual([]);
});
