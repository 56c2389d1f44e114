import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { errorLine } from '../../../../system/error-line.ts';
import { congestionControls } from '../socket-options.ts';
import {
  missingBpfReason,
  loadedName,
  loadStructOps,
  missingBpfTools,
  removeStaleStructOps,
  unloadStructOps,
} from './struct-ops.ts';

const YIELD = 'yield';
const SOURCE = fileURLToPath(new URL('yield.c', import.meta.url));

/** The kernel's name for this edge's yielding congestion control. Workers use the id of their primary process. */
const ownName = (): string => loadedName(YIELD, cluster.isWorker ? process.ppid : process.pid);

export interface YieldControl {
  /** The congestion control's name in the kernel. */
  readonly name: string;
  /** Removes the congestion control from the kernel. Existing connections use it until they end. */
  unload(): Promise<void>;
}

/** Loads the yielding congestion control, or returns a line with the reason why this machine cannot. */
export async function loadYieldControl(
  name = ownName(),
): Promise<YieldControl | { readonly missing: string }> {
  const missing = missingBpfReason() ?? missingToolsReason();
  if (missing !== undefined) return { missing };
  try {
    await removeStaleStructOps([YIELD]);
    await loadStructOps(SOURCE, name);
  } catch (error) {
    return { missing: `BPF could not load it: ${errorLine(error)}` };
  }
  return { name, unload: () => unloadStructOps((loaded) => loaded === name).catch(() => undefined) };
}

function missingToolsReason(): string | undefined {
  const missing = missingBpfTools();
  return missing.length === 0
    ? undefined
    : `no ${missing.join(' and no ')}; apt-get install ${missing.join(' ')}`;
}

/** The name of the congestion control that this edge has loaded; undefined if none. */
export async function loadedYieldControl(): Promise<string | undefined> {
  const name = ownName();
  return (await congestionControls()).available.includes(name) ? name : undefined;
}
