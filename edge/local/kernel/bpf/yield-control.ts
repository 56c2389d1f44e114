import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { lineOf } from '../../../../system/line-of.ts';
import { congestionControls } from '../socket-options.ts';
import {
  bpfLack,
  loadedName,
  loadStructOps,
  missingBpfTools,
  removeStaleStructOps,
  unloadStructOps,
} from './struct-ops.ts';

const YIELD = 'yield';
const SOURCE = fileURLToPath(new URL('yield.c', import.meta.url));

/** The kernel's name for the congestion control that yields, of the edge that this process belongs to. */
const ownName = (): string => loadedName(YIELD, cluster.isWorker ? process.ppid : process.pid);

export interface YieldControl {
  /** Its name in the kernel. */
  readonly name: string;
  /** Removes it from the kernel; connections that have it keep it until they end. */
  unload(): Promise<void>;
}

/** Loads the congestion control that yields; or says in a line why this machine cannot. */
export async function loadYieldControl(name = ownName()): Promise<YieldControl | { readonly lack: string }> {
  const lack = bpfLack() ?? toolsLack();
  if (lack !== undefined) return { lack };
  try {
    await removeStaleStructOps([YIELD]);
    await loadStructOps(SOURCE, name);
  } catch (error) {
    return { lack: `BPF could not load it: ${lineOf(error)}` };
  }
  return { name, unload: () => unloadStructOps((loaded) => loaded === name).catch(() => undefined) };
}

function toolsLack(): string | undefined {
  const missing = missingBpfTools();
  return missing.length === 0
    ? undefined
    : `no ${missing.join(' and no ')}; apt-get install ${missing.join(' ')}`;
}

/** The name of the one that this edge has loaded; undefined if it has none. */
export async function loadedYieldControl(): Promise<string | undefined> {
  const name = ownName();
  return (await congestionControls()).available.includes(name) ? name : undefined;
}
