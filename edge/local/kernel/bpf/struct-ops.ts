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
/** PATH, extended by the folders in which Debian installs bpftool, because a user's PATH may not include them. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`;
const env = { ...process.env, PATH };

/** The folder with struct-ops.h, which every BPF program includes. */
const HEADERS = dirname(fileURLToPath(import.meta.url));

/**
 * The required capabilities, as bits of include/uapi/linux/capability.h. CAP_SYS_ADMIN is for BPF programs (bpf(2)).
 * CAP_NET_ADMIN is for a socket's congestion control and mark (tcp(7), socket(7)). Root in a container may not have all
 * of them.
 */
const CAPABILITIES = { CAP_NET_ADMIN: 12, CAP_SYS_ADMIN: 21 } as const;

/**
 * Returns the reason why this machine cannot load a congestion control with BPF, or undefined. Does not check TOOLS.
 */
export function missingBpfReason(): string | undefined {
  if (process.platform !== 'linux') return 'not Linux';
  if (process.getuid?.() !== 0) return 'not root';
  const missing = missingCapabilities(readFileSync('/proc/self/status', 'utf8'));
  if (missing.length > 0) return `root without ${missing.join(' and ')}`;
  if (!existsSync(KERNEL_TYPES))
    return `the kernel was built without CONFIG_DEBUG_INFO_BTF: no ${KERNEL_TYPES}`;
  return undefined;
}

/** Returns the missing tools. Their Debian packages have the same names. */
export const missingBpfTools = (): string[] =>
  TOOLS.filter((tool) => !existsSync(`/usr/sbin/${tool}`) && findExecutable(tool) === undefined);

/** Returns the required capabilities that a process does not have, according to the text of its /proc/PID/status. */
export function missingCapabilities(status: string): string[] {
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return Object.entries(CAPABILITIES).flatMap(([name, bit]) =>
    (effective >> BigInt(bit)) & 1n ? [] : [name],
  );
}

/** The longest name of a congestion control: TCP_CA_NAME_MAX without the final NUL. */
const LONGEST_NAME = 15;
/** The inode of the initial PID namespace: PROC_PID_INIT_INO of include/linux/proc_ns.h. */
const INITIAL_PID_NAMESPACE = 0xeffffffc;

/**
 * Returns the kernel's name for a congestion control that a process loads from `NAME.c`, unique per process. All
 * containers share these names, and each container has a process 1, so the name includes the PID namespace, except for
 * the initial namespace.
 */
export const loadedName = (name: string, pid = process.pid, namespace = pidNamespace()): string => {
  // Reverse the digits, because similar inodes differ in their last digits, and a long name has room for only a few
  // digits.
  const tag = (namespace - INITIAL_PID_NAMESPACE).toString(36).split('').toReversed().join('');
  return `${name}${pid}${tag === '0' ? '' : `n${tag}`}`.slice(0, LONGEST_NAME);
};

/**
 * Whether the name of a congestion control has the form of `loadedName`. In the kernel's own names, such as bbr3, no
 * digit and no n follows a digit.
 */
export const isLoadedName = (kernelName: string): boolean => /\d[\dn]/.test(kernelName);

/** The inode of this process's PID namespace. */
function pidNamespace(): number {
  const link = '/proc/self/ns/pid';
  return existsSync(link) ? Number(/\d+/.exec(readlinkSync(link))?.[0]) : INITIAL_PID_NAMESPACE;
}

/** Compiles a C file against the running kernel's types and registers the result as the congestion control `kernelName`. */
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
    // Unload the programs of a killed process with the same id, such as the first process of a restarted container.
    await unloadStructOps((loaded) => loaded === kernelName);
    await bpftool('struct_ops', 'register', object);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Unloads congestion controls. New connections cannot select an unloaded congestion control. Existing connections use
 * it until they end, and it remains listed until then.
 */
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
 * Unloads congestion controls with a name in `names` that killed processes have left. The kernel refuses to unload a
 * congestion control that a closing connection still uses, and removes it later. Does nothing if this machine cannot
 * load congestion controls.
 */
export async function removeStaleStructOps(names: readonly string[]): Promise<void> {
  if (missingBpfReason() !== undefined) return;
  const loaded = new RegExp(`^(${names.join('|')})(\\d+)(?:n[0-9a-z]+)?$`);
  const isStale = (kernelName: string): boolean => {
    const [, name = '', pid = ''] = loaded.exec(kernelName) ?? [];
    // Names of other PID namespaces do not match, because it is unknown whether their processes are alive.
    return pid !== '' && kernelName === loadedName(name, Number(pid)) && !existsSync(`/proc/${pid}`);
  };
  const { available } = await congestionControls();
  // The kernel's list shows whether bpftool is needed.
  if (available.some(isStale)) await unloadStructOps(isStale).catch(() => undefined);
}

const bpftool = (...args: string[]): Promise<string> => runQuietly('bpftool', args, { env });
