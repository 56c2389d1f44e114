import { existsSync, readFileSync, readlinkSync } from 'node:fs';
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

/**
 * Capabilities for loading, listing and unloading (bpf(2)), and for giving a socket a congestion control of its own and
 * a mark (tcp(7), socket(7)): bits of include/uapi/linux/capability.h. Root in a container may lack them.
 */
const CAPABILITIES = { CAP_NET_ADMIN: 12, CAP_SYS_ADMIN: 21 } as const;

/** Why this machine cannot load a congestion control by BPF, without a look at its tools; undefined where it can. */
export function bpfLack(): string | undefined {
  if (process.platform !== 'linux') return 'not Linux';
  if (process.getuid?.() !== 0) return 'not root';
  const missing = missingCapabilities(readFileSync('/proc/self/status', 'utf8'));
  if (missing.length > 0) return `root without ${missing.join(' and ')}`;
  if (!existsSync(KERNEL_TYPES))
    return `the kernel was built without CONFIG_DEBUG_INFO_BTF: no ${KERNEL_TYPES}`;
  return undefined;
}

/** The tools that are missing, which are also the names of their packages. */
export const missingBpfTools = (): string[] =>
  TOOLS.filter((tool) => !existsSync(`/usr/sbin/${tool}`) && findExecutable(tool) === undefined);

/** Those of CAPABILITIES that a process lacks, by its /proc/PID/status. */
export function missingCapabilities(status: string): string[] {
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return Object.entries(CAPABILITIES).flatMap(([name, bit]) =>
    (effective >> BigInt(bit)) & 1n ? [] : [name],
  );
}

/** TCP_CA_NAME_MAX, less the zero at the end. */
const LONGEST_NAME = 15;
/** The inode of the initial namespace of process ids: PROC_PID_INIT_INO of include/linux/proc_ns.h. */
const INITIAL_PID_NAMESPACE = 0xeffffffc;

/**
 * The kernel's name for what a process has loaded from `NAME.c`, so that another's does not get in its way. All containers
 * share these names, and each has a process 1, so outside the initial namespace of process ids its own is in the name.
 */
export const loadedName = (name: string, pid = process.pid, namespace = pidNamespace()): string => {
  // Backwards, since neighbors differ in their last digits, and a long name has room for the first of these only.
  const tag = (namespace - INITIAL_PID_NAMESPACE).toString(36).split('').toReversed().join('');
  return `${name}${pid}${tag === '0' ? '' : `n${tag}`}`.slice(0, LONGEST_NAME);
};

/** Whether a congestion control was loaded under a `loadedName`; those of the kernel have at most one digit, such as bbr3. */
export const isLoadedName = (kernelName: string): boolean => /\d[\dn]/.test(kernelName);

/** The inode of this process's namespace of process ids. */
function pidNamespace(): number {
  const link = '/proc/self/ns/pid';
  return existsSync(link) ? Number(/\d+/.exec(readlinkSync(link))?.[0]) : INITIAL_PID_NAMESPACE;
}

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
    // Of a process that was killed and had the same id, as the first of a container has.
    await unloadStructOps((loaded) => loaded === kernelName);
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
  if (bpfLack() !== undefined) return;
  const loaded = new RegExp(`^(${names.join('|')})(\\d+)(?:n[0-9a-z]+)?$`);
  const isStale = (kernelName: string): boolean => {
    const [, name = '', pid = ''] = loaded.exec(kernelName) ?? [];
    // Whether a process of another namespace lives cannot be seen from here.
    return pid !== '' && kernelName === loadedName(name, Number(pid)) && !existsSync(`/proc/${pid}`);
  };
  const { available } = await congestionControls();
  // The kernel lists what BPF has loaded, so that bpftool is asked only where there is something.
  if (available.some(isStale)) await unloadStructOps(isStale).catch(() => undefined);
}

const bpftool = (...args: string[]): Promise<string> => runQuietly('bpftool', args, { env });
