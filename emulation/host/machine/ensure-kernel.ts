import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { aptCommand, canUseApt, ensureAptPackages } from '../../../system/apt.ts';
import { buildFolder } from '../../../system/build-folder.ts';
import { cacheFolder, cacheKey } from '../../../system/cache.ts';
import { findExecutable } from '../../../system/find-executable.ts';
import { withEstimate, type OnProgress } from '../../../system/progress.ts';
import { runQuietly } from '../../../system/run-quietly.ts';
import { DISABLED, EDITS, ENABLED, type SourceEdit, VALUES } from './kernel-config.ts';
import { KERNELS, type KernelVersion } from './kernels.ts';

const TOOLS = ['gcc', 'make', 'flex', 'bison', 'bc', 'xz'];
const PACKAGES = ['gcc', 'libc6-dev', 'make', 'flex', 'bison', 'bc', 'xz-utils'];
/** The processor time that compiling takes, for the estimate of the remaining time. */
const BUILD_CPU_S = 300;
const PROGRAM = 'linux';

const kernelFolder = (version: KernelVersion): string =>
  join(cacheFolder(), `machine-${version}-${cacheKey({ ENABLED, DISABLED, VALUES, EDITS })}`);

/** The reason why no kernel can be built here, or null. */
function missingKernelReason(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `the virtual machine is User-Mode Linux, which runs on Linux on x86-64, but this is ${process.platform} on ${process.arch}`;
  if (findExecutable('apt-get') === undefined)
    return "the machine's kernel is built from Debian's source package: it needs apt-get and a Debian";
  const missing = TOOLS.filter((tool) => findExecutable(tool) === undefined);
  return missing.length === 0 || canUseApt()
    ? null
    : `${missing.join(', ')} not on the PATH; ${aptCommand(...PACKAGES)}`;
}

/** The path of the kernel's program; undefined if it has not been built. */
export function findKernel(version: KernelVersion): string | undefined {
  const program = join(kernelFolder(version), PROGRAM);
  return existsSync(program) ? program : undefined;
}

/**
 * Returns the path of a kernel's program; builds it into the project's cache, without root, if it is missing. Throws an
 * Error of one line if it cannot be built.
 */
export async function ensureKernel(version: KernelVersion, onProgress: OnProgress): Promise<string> {
  const found = findKernel(version);
  if (found !== undefined) return found;
  const missing = missingKernelReason();
  if (missing !== null) throw new Error(missing);
  if (TOOLS.some((tool) => findExecutable(tool) === undefined)) await ensureAptPackages(PACKAGES, onProgress);
  await buildFolder(
    kernelFolder(version),
    (folder, signal) => build(version, folder, { onProgress, signal }),
    {
      reuse: true,
      onWait: (owner) => onProgress({ task: `Waiting for process ${owner}, which builds the kernel` }),
    },
  );
  return join(kernelFolder(version), PROGRAM);
}

async function build(
  version: KernelVersion,
  folder: string,
  { onProgress, signal }: { readonly onProgress: OnProgress; readonly signal: AbortSignal },
): Promise<void> {
  const run = (program: string, ...args: string[]) => runQuietly(program, args, { cwd: folder, signal });
  onProgress({ task: `Downloading the sources of Linux ${version} (150 MB)` });
  await run('apt-get', 'download', '-qq', KERNELS[version]).catch(() => {
    throw new Error(
      `apt has no package ${KERNELS[version]}; choose another kernel (${Object.keys(KERNELS).join(', ')}), run apt-get update, or add a Debian release that has the package to apt's sources`,
    );
  });
  onProgress({ task: `Unpacking the sources of Linux ${version} (1.6 GB for as long as it is built)` });
  const [deb = ''] = (await readdir(folder)).filter((name) => name.endsWith('.deb'));
  await run('dpkg-deb', '-x', deb, 'package');
  const sources = join(folder, 'package/usr/src', `${KERNELS[version]}.tar.xz`);
  await run('mkdir', 'tree');
  await run('tar', '-xJf', sources, '-C', 'tree', '--strip-components=1');
  for (const edit of EDITS) await apply(edit, join(folder, 'tree'));

  const make = (...args: string[]) =>
    run('make', '-s', '-C', 'tree', 'ARCH=um', 'SUBARCH=x86_64', `-j${availableParallelism()}`, ...args);
  await make('defconfig');
  const words = [
    ...ENABLED.flatMap((name) => ['-e', name]),
    ...DISABLED.flatMap((name) => ['-d', name]),
    ...Object.entries(VALUES).flatMap(([name, value]) => [
      Number.isNaN(Number(value)) ? '--set-str' : '--set-val',
      ...[name, value],
    ]),
  ];
  await run('tree/scripts/config', '--file', 'tree/.config', ...words);
  await make('olddefconfig');
  const expected_s = BUILD_CPU_S / availableParallelism();
  await withEstimate(`Compiling Linux ${version}`, expected_s, onProgress, () => make(PROGRAM));
  await run('strip', '--strip-all', 'tree/linux');
  await copyFile(join(folder, 'tree/linux'), join(folder, PROGRAM));
  for (const part of ['tree', 'package', deb]) await run('rm', '-rf', part);
}

async function apply({ file, from, to }: SourceEdit, tree: string): Promise<void> {
  const source = await readFile(join(tree, file), 'utf8');
  if (!source.includes(from)) throw new Error(`this kernel's ${file} differs from the supported versions`);
  await writeFile(join(tree, file), source.replace(from, to));
}
