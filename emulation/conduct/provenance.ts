import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../edge/media/run-quietly.ts';
import type { Manifest } from '../report/manifest.ts';
import { findChromium } from '../setup/chromium.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What made the results: code, programs, kernel. */
export async function provenance(): Promise<Pick<Manifest, 'commit' | 'versions' | 'kernel' | 'units'>> {
  const said = (program: string, ...args: string[]) =>
    runQuietly(program, args, { cwd: root }).then(
      (text) => text.trim(),
      () => 'unknown',
    );
  const dashjs = JSON.parse(await readFile(`${root}/node_modules/dashjs/package.json`, 'utf8')) as {
    version: string;
  };
  const [commit, changes, chromium, mahimahi] = await Promise.all([
    said('git', 'rev-parse', '--short=12', 'HEAD'),
    said('git', 'status', '--porcelain'),
    said(findChromium() ?? 'chromium', '--version'),
    said('dpkg-query', '--show', '--showformat=${Version}', 'mahimahi'),
  ]);
  return {
    commit: changes === '' ? commit : `${commit}, with changes`,
    kernel: release(),
    versions: {
      node: process.versions.node,
      'dash.js': dashjs.version,
      chromium: /[\d.]{3,}/.exec(chromium)?.[0] ?? chromium,
      mahimahi,
    },
    units: '',
  };
}
