import { loadYieldControl } from '../../../edge/local/kernel/bpf/yield-control.ts';
import { errorLine } from '../../../system/error-line.ts';
import { prepareBpf } from '../congestion/congestion-controls.ts';
import type { LabEdge } from './edge.ts';
import { startNodeEdge } from './node-edge.ts';

/** The edge that `npm run edge -- --yield` starts. */
export const nodeYieldEdge: LabEdge = {
  async prepare(onProgress) {
    await prepareBpf(onProgress).catch((error: unknown) => {
      throw new Error(`--edge node-yield: ${errorLine(error)}`, { cause: error });
    });
    return `node ${process.versions.node}, which yields`;
  },
  async start(origin, { congestionControl }) {
    const control = await loadYieldControl();
    if ('missing' in control) throw new Error(`--edge node-yield: ${control.missing}`);
    try {
      const edge = await startNodeEdge(origin, congestionControl, { yieldControl: control.name });
      return {
        ...edge,
        async close() {
          await edge.close();
          await control.unload();
        },
      };
    } catch (error) {
      await control.unload();
      throw error;
    }
  },
};
