import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { congestionControls } from '../../../edge/local/kernel/socket-options.ts';
import { aptCommand, canUseApt, ensureAptPackages } from '../../../system/apt.ts';
import { findExecutable } from '../../../system/find-executable.ts';
import { lineOf } from '../../../system/line-of.ts';
import type { OnProgress } from '../../../system/progress.ts';
import { runQuietly } from '../../../system/run-quietly.ts';
import { LOADED } from './index.ts';

/** Those that are there for a run, by the names of the experiments. */
export interface CongestionControls {
  /** The kernel's name for each. */
  readonly names: Readonly<Record<string, string>>;
  /** Why each of the others is not there, in a line. */
  readonly lacking: Readonly<Record<string, string>>;
  /** Removes from the kernel what was loaded. */
  close(): Promise<void>;
}

const KERNEL_TYPES = '/sys/kernel/btf/vmlinux';
const TOOLS = ['clang', 'bpftool'];
/** Debian puts bpftool where a person's PATH may not lead. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`;
/** A name in the kernel is that of the C file and the process that has loaded it. */
const LOADED_NAME = new RegExp(`^(${LOADED.join('|')})(\\d+)$`);

/**
 * Loads those of `wanted` that the kernel lacks and a C file here has, by BPF struct_ops. What cannot be loaded is lacking,
 * with the reason; the others are there all the same.
 */
export async function loadCongestionControls(
  wanted: readonly string[],
  onProgress: OnProgress,
): Promise<CongestionControls> {
  const { available } = await withModules(wanted);
  const names: Record<string, string> = {};
  const lacking: Record<string, string> = {};
  const loaded: string[] = [];
  for (const name of new Set(wanted)) {
    if (available.includes(name)) names[name] = name;
    else if (!LOADED.some((own) => own === name))
      lacking[name] = `the kernel has ${available.join(', ')}, and the lab ${LOADED.join(', ')}`;
    else {
      try {
        if (loaded.length === 0) await prepare(onProgress);
        names[name] = await load(name);
        loaded.push(names[name]);
      } catch (error) {
        lacking[name] = `BPF could not load it: ${lineOf(error)}`;
      }
    }
  }
  return {
    names,
    lacking,
    close: () => {
      const own = loaded.splice(0);
      return unload((name) => own.includes(name));
    },
  };
}

/** Linux lists what is a module of its own only once that is loaded. */
async function withModules(wanted: readonly string[]): ReturnType<typeof congestionControls> {
  const listed = await congestionControls();
  const others = wanted.filter(
    (name) => !listed.available.includes(name) && !LOADED.some((own) => own === name),
  );
  if (others.length === 0) return listed;
  const modules = others.map((name) => `tcp_${name}`);
  await runQuietly('modprobe', ['--all', '--quiet', ...modules], { env: { ...process.env, PATH } }).catch(
    () => undefined,
  );
  return congestionControls();
}

/** Throws an Error of one line that says why BPF is missing. */
async function prepare(onProgress: OnProgress): Promise<void> {
  if (process.platform !== 'linux') throw new Error('not Linux');
  if (process.getuid?.() !== 0) throw new Error('not root');
  if (!existsSync(KERNEL_TYPES))
    throw new Error(`the kernel was built without CONFIG_DEBUG_INFO_BTF: no ${KERNEL_TYPES}`);
  const missing = TOOLS.filter(
    (tool) => !existsSync(`/usr/sbin/${tool}`) && findExecutable(tool) === undefined,
  );
  if (missing.length > 0) {
    if (!canUseApt()) throw new Error(`no ${missing.join(' and no ')}; ${aptCommand(...missing)}`);
    await ensureAptPackages(missing, onProgress);
  }
}

/**
 * Removes from the kernel what labs have loaded that were killed before they could; where nothing can be loaded, there is
 * nothing. One that is still in use by a connection that ends is refused, and goes with it.
 */
export async function removeStaleCongestionControls(): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  const { available } = await congestionControls();
  // The kernel lists what BPF has loaded, so that bpftool is asked only where there is something.
  if (!available.some(isStale)) return;
  await unload(isStale).catch(() => undefined);
}

function isStale(name: string): boolean {
  const pid = LOADED_NAME.exec(name)?.[2];
  return pid !== undefined && !existsSync(`/proc/${pid}`);
}

/** Compiles a C file against the running kernel's types and registers it. Returns its name in the kernel. */
async function load(name: string): Promise<string> {
  const loadedName = `${name}${process.pid}`;
  const source = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-bpf-'));
  try {
    await writeFile(
      join(folder, 'vmlinux.h'),
      await bpftool('btf', 'dump', 'file', KERNEL_TYPES, 'format', 'c'),
    );
    const object = join(folder, `${name}.o`);
    const includes = ['-I', folder, '-I', source('.')];
    const define = `-DALGORITHM=${loadedName}`;
    await runQuietly(
      'clang',
      ['-target', 'bpf', '-O2', '-g', ...includes, define, '-c', source(`${name}.c`), '-o', object],
      { env: { ...process.env, PATH } },
    );
    await bpftool('struct_ops', 'register', object);
    return loadedName;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Connections that have one keep it until they end, and it is listed until then; new ones cannot have it. */
async function unload(isUnwanted: (name: string) => boolean): Promise<void> {
  const listed = JSON.parse(await bpftool('-j', 'struct_ops', 'list').catch(() => '[]')) as readonly {
    readonly id: number;
    readonly name: string;
  }[];
  for (const { id, name } of listed) {
    if (isUnwanted(name)) await bpftool('struct_ops', 'unregister', 'id', String(id));
  }
}

const bpftool = (...args: string[]): Promise<string> =>
  runQuietly('bpftool', args, { env: { ...process.env, PATH } });
