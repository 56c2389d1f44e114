import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schemeNamed } from '../index.ts';
import { installSchemes } from './install.ts';

let cache = '';
beforeAll(() => {
  cache = mkdtempSync(join(tmpdir(), 'schemes-'));
  process.env.DASHJS_SAMMY_CACHE = cache;
  // With an empty PATH, no package manager and no toolchain can be found.
  process.env.PATH = '';
});
afterAll(() => rmSync(cache, { recursive: true }));

it('lists a scheme that cannot be installed, with advice, and leaves nothing behind', async () => {
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

const isRoot = process.getuid?.() === 0;
const why = isRoot ? '' : ' (skipped: only root may install packages)';
it.skipIf(!isRoot)(
  `reports a missing package with apt's message, and installs the others${why}`,
  async () => {
    const bin = join(cache, 'bin');
    mkdirSync(bin);
    const program = (name: string, text: string): void =>
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    program(
      'apt-get',
      'case "$*" in *srt-tools*) echo "E: Unable to locate package srt-tools" >&2; exit 100;; esac',
    );
    program('gtlsclient', '');
    process.env.PATH = bin;
    const present = {
      ...schemeNamed('cubic'),
      name: 'present',
      needs: { apt: { gtlsclient: 'ngtcp2-client' } },
    };
    const { programs, lacking } = await installSchemes(
      ['srt', 'cubic'].map(schemeNamed).concat(present),
      () => undefined,
    );
    expect(programs).toEqual({ gtlsclient: join(bin, 'gtlsclient') });
    expect(lacking).toEqual({
      srt: 'apt-get install failed: E: Unable to locate package srt-tools',
      cubic: 'the package iperf3 has no iperf3',
    });
  },
);
