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
import { errorLine } from '../../../system/error-line.ts';
import type { OnProgress } from '../../../system/progress.ts';
import { runQuietly } from '../../../system/run-quietly.ts';
import { BPF_CONTROLS } from './index.ts';

/** The congestion controls that are available for a run, by the names that experiments use. */
export interface CongestionControls {
  /** The kernel's name of each control. */
  readonly names: Readonly<Record<string, string>>;
  /** The reason, in one line, for each requested control that is not available. */
  readonly lacking: Readonly<Record<string, string>>;
  /** Removes the loaded congestion controls from the kernel. */
  close(): Promise<void>;
}

/** Debian installs modprobe in a folder that may not be on a user's PATH. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`;

/**
 * Loads the requested controls that Linux lacks and that a C file in this folder implements, by BPF struct_ops. A
 * control that cannot be loaded is listed in `lacking` with the reason, and the other controls are still loaded.
 */
export async function loadCongestionControls(
  wanted: readonly string[],
  onProgress: OnProgress,
): Promise<CongestionControls> {
  const { available } = await listWithModules(wanted);
  const names: Record<string, string> = {};
  const lacking: Record<string, string> = {};
  const loaded: string[] = [];
  for (const name of new Set(wanted)) {
    if (available.includes(name)) names[name] = name;
    else if (!BPF_CONTROLS.some((own) => own === name))
      lacking[name] = `the kernel has ${available.join(', ')}, and the lab ${BPF_CONTROLS.join(', ')}`;
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

/** Loads kernel modules first, because Linux lists a modular congestion control only once its module is loaded. */
async function listWithModules(wanted: readonly string[]): ReturnType<typeof congestionControls> {
  const listed = await congestionControls();
  const others = wanted.filter(
    (name) => !listed.available.includes(name) && !BPF_CONTROLS.some((own) => own === name),
  );
  if (others.length === 0) return listed;
  const modules = others.map((name) => `tcp_${name}`);
  await runQuietly('modprobe', ['--all', '--quiet', ...modules], { env: { ...process.env, PATH } }).catch(
    () => undefined,
  );
  return congestionControls();
}

/** Installs the tools for BPF. Throws an Error of one line if that is impossible. */
export async function prepareBpf(onProgress: OnProgress): Promise<void> {
  const missingReason = missingBpfReason();
  if (missingReason !== undefined) throw new Error(missingReason);
  const missing = missingBpfTools();
  if (missing.length === 0) return;
  if (!canUseApt()) throw new Error(`no ${missing.join(' and no ')}; ${aptCommand(...missing)}`);
  await ensureAptPackages(missing, onProgress);
}

/** Removes congestion controls that killed labs have left in the kernel. */
export const removeStaleCongestionControls = (): Promise<void> => removeStaleStructOps(BPF_CONTROLS);

/** Loads the C file of this control. Returns the control's name in the kernel. */
async function load(name: string): Promise<string> {
  const kernelName = loadedName(name);
  await loadStructOps(fileURLToPath(new URL(`${name}.c`, import.meta.url)), kernelName);
  return kernelName;
}
