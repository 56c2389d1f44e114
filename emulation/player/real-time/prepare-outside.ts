import type { OnProgress } from '../../../system/progress.ts';
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { DEFAULT_EDGE, labEdge, type LabEdgeName } from '../../network/edges/index.ts';

/**
 * Makes and downloads what the sessions need, because the sessions themselves will run on a machine without a network.
 */
export async function prepareOutside(edge: LabEdgeName | undefined, print: OnProgress): Promise<void> {
  await ensureDefaultContent({ onProgress: print });
  await (await labEdge(edge ?? DEFAULT_EDGE)).prepare(print);
}
