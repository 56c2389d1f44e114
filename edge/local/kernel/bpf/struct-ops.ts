import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findExecutable } from '../../../../system/find-executable.ts';
import { runQuietly } from '../../../../system/run-quietly.ts';
import { congestionControls } from '../socket-options.ts';

const KERNEL_TYPES = '/sys/kernel/btf/vmlinux';
const TOOLS = ['clang', 'bpftool'] as const;
/** Debian puts bpftool where a person's PATH may not lead. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`;
const env = { ...process.env, PATH };

/** Where struct-ops.h is, which every program includes. */
const HEADERS = dirname(fileURLToPath(import.meta.url));

/** Why this machine cannot load a congestion control by BPF, without a look at its tools; undefined where it can. */
export function bpfLack(): string | undefined {
  if (process.platform !== 'linux') return 'not Linux';
  if (process.getuid?.() !== 0) return 'not root';
  if (!existsSync(KERNEL_TYPES))
    return `the kernel was built without CONFIG_DEBUG_INFO_BTF: no ${KERNEL_TYPES}`;
  return undefined;
}

/** The tools that are missing, which are also the names of their packages. */
export const missingBpfTools = (): string[] =>
  TOOLS.filter((tool) => !existsSync(`/usr/sbin/${tool}`) && findExecutable(tool) === undefined);

/** The kernel's name for what this process has loaded from `NAME.c`; another process's does not get in its way. */
export const loadedName = (name: string, pid = process.pid): string => `${name}${pid}`;

/** Compiles a C file against the running kernel's types and registers it as the congestion control `kernelName`. */
export async function loadStructOps(source: string, kernelName: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-bpf-'));
  try {
    await writeFile(
      join(folder, 'vmlinux.h'),
      await bpftool('btf', 'dump', 'file', KERNEL_TYPES, 'format', 'c'),
    );
    const object = join(folder, 'program.o');
    const includes = ['-I', folder, '-I', HEADERS];
    const define = `-DALGORITHM=${kernelName}`;
    const target = ['-target', 'bpf', '-O2', '-g'];
    await runQuietly('clang', [...target, ...includes, define, '-c', source, '-o', object], { env });
    await bpftool('struct_ops', 'register', object);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Connections that have one keep it until they end, and it is listed until then; new ones cannot have it. */
export async function unloadStructOps(isUnwanted: (kernelName: string) => boolean): Promise<void> {
  const listed = JSON.parse(await bpftool('-j', 'struct_ops', 'list').catch(() => '[]')) as readonly {
    readonly id: number;
    readonly name: string;
  }[];
  for (const { id, name } of listed) {
    if (isUnwanted(name)) await bpftool('struct_ops', 'unregister', 'id', String(id));
  }
}

/**
 * Removes from the kernel those of `names` that processes have loaded that were killed before they could; where nothing can
 * be loaded, there is nothing. One that is still in use by a connection that ends is refused, and goes with it.
 */
export async function removeStaleStructOps(names: readonly string[]): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  const loaded = new RegExp(`^(${names.join('|')})(\\d+)$`);
  const isStale = (kernelName: string): boolean => {
    const pid = loaded.exec(kernelName)?.[2];
    return pid !== undefined && !existsSync(`/proc/${pid}`);
  };
  const { available } = await congestionControls();
  // The kernel lists what BPF has loaded, so that bpftool is asked only where there is something.
  if (available.some(isStale)) await unloadStructOps(isStale).catch(() => undefined);
}

const bpftool = (...args: string[]): Promise<string> => runQuietly('bpftool', args, { env });
