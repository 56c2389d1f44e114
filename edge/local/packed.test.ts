import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../e2e/support/packed.ts';
import { parseReceipt } from '../../src/wire/receipt.ts';

const edge = join(import.meta.dirname, '..');
const application = mkdtempSync(join(tmpdir(), 'edge-packed-'));
afterAll(() => rmSync(application, { recursive: true }));

/** Looks in the edge's and in the root's node_modules. */
const dependencyFolder = (name: string): string => {
  for (const place of [edge, dirname(edge)]) {
    const folder = join(place, 'node_modules', name);
    try {
      readFileSync(join(folder, 'package.json'));
      return folder;
    } catch {
      // Not here, so it is in the other folder.
    }
  }
  throw new Error(`${name} is not installed`);
};

it.skipIf(process.platform !== 'linux')(
  'paces without the repository after packing and installing',
  async () => {
    run('npm', ['pack', '--pack-destination', application], edge);
    const size_kB = statSync(join(application, 'dashjs-sammy-edge-0.1.0.tgz')).size / 1000;
    for (const page of ['index.md', 'node.md']) {
      const text = readFileSync(join(edge, '../docs/edge', page), 'utf8');
      const told_kB = Number(/a (?:server|tarball) of (\d+) kB/.exec(text)?.[1]);
      // The size in the documentation must be correct within a tenth.
      expect(Math.abs(told_kB / size_kB - 1), `${page} tells ${told_kB} kB of ${size_kB}`).toBeLessThan(0.1);
    }
    const installed = join(application, 'node_modules/dashjs-sammy-edge');
    mkdirSync(installed, { recursive: true });
    run(
      'tar',
      ['-xzf', 'dashjs-sammy-edge-0.1.0.tgz', '-C', installed, '--strip-components', '1'],
      application,
    );
    // The dependencies that npm would install.
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      bin: Record<string, string>;
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(manifest.dependencies)) {
      const link = join(application, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(dependencyFolder(name), link);
    }
    writeFileSync(join(application, '1.m4s'), 'media');

    const program = join(installed, manifest.bin['dashjs-sammy-edge'] ?? '');
    const child = spawn(process.execPath, [
      program,
      '--origin',
      application,
      '--port',
      '0',
      '--workers',
      '2',
    ]);
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (log += text.toString()));
    const serving = /^serving .* at (\S+)\n/m;
    await expect.poll(() => log, { timeout: 60_000 }).toMatch(serving);
    const answer = await fetch(`${serving.exec(log)?.[1]}/1.m4s?CMCD=rtp%3D5000`);
    expect(await answer.text()).toBe('media');
    expect(parseReceipt((name) => answer.headers.get(name))).toMatchObject({
      pace_kbps: 5000,
      reason: 'requested',
    });
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);

    expect(run(process.execPath, [program, '--help'], application)).toMatch(
      /^npx dashjs-sammy-edge --origin/,
    );
    expect(() => run(process.execPath, [program, '--port', '0'], application)).toThrow(
      /:\ndashjs-sammy-edge: --origin is missing; give a directory or an http\(s\) URL\n$/,
    );
  },
  120_000,
);

it('runs from source in a checkout, from any folder', () => {
  const program = join(edge, 'dashjs-sammy-edge.mjs');
  expect(run(process.execPath, [program, '--version'], application).trim()).toBe('0.1.0');
});
