import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from '../steps.ts';

const MOST_FILES = 20;

it(`has at most ${MOST_FILES} sources in a folder`, () => {
  const files = execFileSync('git', ['ls-files', '-z', '*.ts'], { cwd: root, encoding: 'utf8' }).split('\0');
  const sources = files.filter((file) => !/\.(test|spec|d)\.ts$/.test(file) && file.includes('/'));
  const counts = new Map<string, number>();
  for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
});

/** Returns the npm packages that load when a file is loaded, without those that `import()` loads later. */
async function packagesLoadedBy(file: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const { outputs } = metafile;
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (output: string): void => {
    if (seen.has(output)) return;
    seen.add(output);
    for (const { path, kind, external } of outputs[output]?.imports ?? []) {
      if (kind !== 'import-statement') continue;
      if (external !== true) visit(path);
      else if (!path.startsWith('node:')) packages.add(path);
    }
  };
  for (const [output, { entryPoint }] of Object.entries(outputs)) if (entryPoint === file) visit(output);
  return [...packages].sort();
}

describe('npm run lab', () => {
  // Charts, browser drivers and bundlers take seconds to load, so only code that uses them may load them.
  it.each([
    'emulation/cli/command.ts',
    'emulation/cli/actions/list.ts',
    'emulation/studies/sessions/index.ts',
  ])("%s loads no package except for the command line's", async (path) => {
    expect((await packagesLoadedBy(path)).filter((name) => name !== 'commander')).toEqual([]);
  });

  it('detects the packages that a file loads', async () => {
    expect(await packagesLoadedBy('emulation/ground/drawing/svg.ts')).toEqual([
      '@observablehq/plot',
      'happy-dom',
    ]);
  });
});
