import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/steps.ts';

export interface Packed {
  /** The package that npm would publish. */
  readonly tarball: Uint8Array<ArrayBuffer>;
  /** Folder of an application in which the package is installed. */
  readonly application: string;
  remove(): Promise<void>;
}

/** Packs the built plug-in and installs it in a new application, as users do, but without the network. */
export async function packAndInstall(): Promise<Packed> {
  const application = await mkdtemp(join(tmpdir(), 'dashjs-sammy-packed-'));
  // dist/ has already been built, so no scripts need to run.
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', application], root);
  const [name = ''] = (await readdir(application)).filter((file) => file.endsWith('.tgz'));
  const installed = join(application, 'node_modules/dashjs-sammy');
  await mkdir(installed, { recursive: true });
  run('tar', ['-xzf', name, '-C', installed, '--strip-components', '1'], application);
  return {
    tarball: new Uint8Array(await readFile(join(application, name))),
    application,
    remove: () => rm(application, { recursive: true }),
  };
}

/** Runs a program to its end and returns its output. Throws an Error with the output if the program fails. */
export function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
}
