import { fileURLToPath } from 'node:url';
import {
  missingBpfReason,
  loadedName,
  loadStructOps,
  missingBpfTools,
  removeStaleStructOps,
  unloadStructOps,
} from '../../../edge/local/kernel/bpf/struct-ops.ts';
import { congestionControls } from '../../../edge/local/kernel/socket-options.ts';
import { aptCommand, canUseApt, ensureAptPackages } from '../../../system/apt.ts';
import { errorLine } from '../../../system/line-of.ts';
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

/** Debian puts modprobe where a person's PATH may not lead. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`;

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
        if (loaded.length === 0) await prepareBpf(onProgress);
        names[name] = await load(name);
        loaded.push(names[name]);
      } catch (error) {
        lacking[name] = `BPF could not load it: ${errorLine(error)}`;
      }
    }
  }
  return {
    names,
    lacking,
    close: () => {
      const own = loaded.splice(0);
      return unloadStructOps((name) => own.includes(name));
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

/** Installs what BPF needs. Throws an Error of one line that says why it cannot be had. */
export async function prepareBpf(onProgress: OnProgress): Promise<void> {
  const lack = missingBpfReason();
  if (lack !== undefined) throw new Error(lack);
  const missing = missingBpfTools();
  if (missing.length === 0) return;
  if (!canUseApt()) throw new Error(`no ${missing.join(' and no ')}; ${aptCommand(...missing)}`);
  await ensureAptPackages(missing, onProgress);
}

/** Removes from the kernel what labs have loaded that were killed before they could. */
export const removeStaleCongestionControls = (): Promise<void> => removeStaleStructOps(LOADED);

/** Loads the C file of that name. Returns its name in the kernel. */
async function load(name: string): Promise<string> {
  const kernelName = loadedName(name);
  await loadStructOps(fileURLToPath(new URL(`${name}.c`, import.meta.url)), kernelName);
  return kernelName;
}
